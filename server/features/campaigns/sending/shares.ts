import {
  type ConnectionPool,
  createPermitGate,
  type Gate,
  isOwnerGone,
  openGate,
  type PermitGate,
  permitsFor,
  thisOwner,
} from '#server/engine/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { elapsedSince, type Mark, markNow } from './lease.ts'
import { keepShares, leaveShares, renewShare, SHARE_SECONDS } from './shares-store.ts'

/** So long after its last renewal a share is used; well before others may have it. */
const HELD_MS = (SHARE_SECONDS * 1000) / 2
const IDLE_MS = 10_000
/** A slice holds about this many seconds' worth of a pace. */
const SLICE_SECONDS = 5

const NOTHING = { connections: 0, permits: 0 }

/** What this thread may use of one sender. */
export class Share {
  readonly senderId: string
  gate: Gate = openGate
  /** Slices that go through it now. */
  users = 0
  usedAt = markNow()
  /** Its settings changed since it was asked for. */
  isStale = true
  renewing: Promise<void> | null = null
  #permits: PermitGate | null = null
  #limits = { connections: 0, perSecond: null as number | null }
  #granted = NOTHING
  #renewed: Mark | null = null
  #pools = new Set<ConnectionPool>()
  #current: ConnectionPool | null = null

  constructor(senderId: string) {
    this.senderId = senderId
  }

  /** Whether it is this thread's own still, by the last renewal. */
  readonly isHeld = (): boolean => this.#renewed !== null && elapsedSince(this.#renewed) < HELD_MS

  /** What the sender has in all, and how much of it is in use here, connections and permits alike. */
  get wish() {
    const { connections, perSecond } = this.#limits
    const { count, cooldownMs } = perSecond === null ? { count: 0, cooldownMs: 0 } : permitsFor(perSecond)
    for (const pool of this.#pools) if (pool !== this.#current && pool.open === 0) this.#pools.delete(pool)
    const open = [...this.#pools].reduce((sum, pool) => sum + pool.open, 0)
    return {
      total: { connections, permits: count },
      using: {
        connections: Math.max(open, this.#granted.connections),
        permits: Math.max(this.#permits?.count ?? 0, this.#granted.permits),
      },
      cooldownMs,
    }
  }

  /** Nobody uses it, and all its permits have cooled down. */
  get isIdle(): boolean {
    return this.users === 0 && elapsedSince(this.usedAt) > Math.max(IDLE_MS, 1.1 * this.wish.cooldownMs)
  }

  /** Takes over the sender's settings. */
  follow(account: SendingAccount, pool: ConnectionPool): void {
    const { connections, perSecond } = account
    if (connections !== this.#limits.connections || perSecond !== this.#limits.perSecond) this.isStale = true
    if (perSecond !== this.#limits.perSecond) this.#regulate(perSecond)
    this.#limits = { connections, perSecond }
    if (pool !== this.#current) {
      this.#current?.resize(0)
      this.#pools.add(pool)
      this.#current = pool
      pool.resize(this.#granted.connections)
    }
  }

  #regulate(perSecond: number | null): void {
    const before = this.#limits.perSecond === null ? null : permitsFor(this.#limits.perSecond).cooldownMs
    const after = perSecond === null ? null : permitsFor(perSecond).cooldownMs
    if (before === after) return
    this.#permits?.resize(0)
    this.#permits = after === null ? null : createPermitGate({ cooldownMs: after, isHeld: this.isHeld })
    this.#granted = { ...this.#granted, permits: 0 }
    this.gate = this.#permits ?? openGate
  }

  grant(granted: { connections: number; permits: number }, asked: Mark): void {
    this.#granted = granted
    this.#renewed = asked
    this.#current?.resize(granted.connections)
    this.#permits?.resize(granted.permits)
  }

  renewed(asked: Mark): void {
    this.#renewed = asked
    this.#permits?.poke()
  }

  /** Whether anything may leave through it at all. */
  get isUsable(): boolean {
    return this.isHeld() && this.#granted.connections > 0 && (this.#permits === null || this.#granted.permits > 0)
  }

  /** Messages a slice is to have; undefined: as many as there may be. */
  get wanted(): number | undefined {
    const { cooldownMs } = this.wish
    return this.#permits === null ? undefined : Math.ceil((this.#granted.permits * SLICE_SECONDS * 1000) / cooldownMs)
  }

  /** Closes what is open. Returns whether nothing is any more. */
  close(): boolean {
    for (const pool of this.#pools) pool.resize(0)
    return [...this.#pools].every((pool) => pool.open === 0)
  }
}

/** Whether a worker has certainly ended, so that its share is free before it expires. */
const isGone = (worker: string) => isOwnerGone(JSON.parse(worker))

/** The shares of this thread in the senders it sends through. `alone`: every other holder of one is gone. */
export class Shares {
  #db: Db
  /** How this thread is known among those that share senders. */
  #worker = JSON.stringify(thisOwner())
  #isGone: (worker: string) => boolean
  #shares = new Map<string, Share>()
  #leaving = new Map<string, Promise<void>>()

  constructor(db: Db, alone: boolean) {
    this.#db = db
    this.#isGone = alone ? () => true : isGone
  }

  /** The share in a sender, renewed where its settings changed; it counts a user, who has to `leave`. */
  async enter(account: SendingAccount, pool: ConnectionPool): Promise<Share> {
    await this.#leaving.get(account.id)
    const share = this.#shares.get(account.id) ?? new Share(account.id)
    this.#shares.set(account.id, share)
    share.users++
    share.follow(account, pool)
    if (share.isStale || !share.isHeld()) await this.#renew(share)
    return share
  }

  leave(share: Share): void {
    share.users--
    share.usedAt = markNow()
  }

  /** Once a second: keeps what is held, shares with who else is there, and gives back what nobody uses. */
  async tick(log: Pick<Log, 'error'>): Promise<void> {
    for (const share of this.#shares.values()) if (share.isIdle && share.close()) this.#giveUp(share, log)
    const held = [...this.#shares.values()]
    if (held.length === 0) return
    const asked = markNow()
    const ids = held.map(({ senderId }) => senderId)
    const kept = new Map((await keepShares(this.#db, this.#worker, ids)).map((row) => [row.senderId, row.isShared]))
    for (const share of held) {
      if (kept.get(share.senderId) === false && !share.isStale) share.renewed(asked)
      else await this.#renew(share)
    }
  }

  /** Gives everything back, at the end of the thread. */
  async close(): Promise<void> {
    await leaveShares(this.#db, this.#worker, [...this.#shares.keys()])
  }

  #giveUp({ senderId }: Share, log: Pick<Log, 'error'>): void {
    this.#shares.delete(senderId)
    const done = leaveShares(this.#db, this.#worker, [senderId])
      // It expires by itself.
      .catch((error) => log.error({ err: error, sender: senderId }, 'a share could not be given back'))
      .finally(() => this.#leaving.delete(senderId))
    this.#leaving.set(senderId, done)
  }

  #renew(share: Share): Promise<void> {
    share.renewing ??= this.#ask(share).finally(() => {
      share.renewing = null
    })
    return share.renewing
  }

  async #ask(share: Share): Promise<void> {
    share.isStale = false
    const asked = markNow()
    const { total, using, cooldownMs } = share.wish
    const granted = await renewShare(this.#db, this.#worker, share.senderId, { total, using, cooldownMs }, this.#isGone)
    if (granted) share.grant(granted, asked)
    else share.isStale = true
  }
}
