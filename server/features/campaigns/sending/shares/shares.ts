import {
  bothGates,
  type ConnectionPool,
  createCountingGate,
  createPermitGate,
  type Gate,
  type JournalOwner,
  openGate,
  type PermitGate,
  permitsFor,
  permitsForReceiver,
  thisOwner,
} from '#server/engine/index.ts'
import type { ReceiverPace, SendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { elapsedSince, type Mark, markNow } from '../lease.ts'
import { ReceiverLane, Turns } from './receiver-lane.ts'
import { keepShares, leaveShares, renewShare, SHARE_SECONDS, type Shared } from './shares-store.ts'

/** So long after its last renewal a share is used; well before others may have it. */
const HELD_MS = (SHARE_SECONDS * 1000) / 2
const IDLE_MS = 10_000
/** A slice holds about this many seconds' worth of a pace. */
const SLICE_SECONDS = 5

/** Of a receiver without a limit of connections: more than any sender has. */
const UNLIMITED = 1_000

const NOTHING = { connections: 0, permits: 0 }

/** Permits of a limit and how long each rests; null: no limit. */
type Permits = { count: number; cooldownMs: number } | null

/** What this thread may use of the limits of one sender, or of those it has for one receiver. */
export class Share {
  readonly shared: Shared
  gate: Gate = openGate
  /** Slices that go through it now. */
  users = 0
  usedAt = markNow()
  /** Its settings changed since it was asked for. */
  isStale = true
  renewing: Promise<void> | null = null
  /** Of a receiver: which messages have their turn when. */
  readonly turns = new Turns()
  /** Of a receiver: its messages on their way from here, which are what `connections` limits. */
  #slots = createCountingGate()
  #permits: PermitGate | null = null
  #limits = { connections: 0, permits: null as Permits }
  #granted = NOTHING
  #renewed: Mark | null = null
  #pools = new Set<ConnectionPool>()
  #current: ConnectionPool | null = null

  constructor(shared: Shared) {
    this.shared = shared
  }

  /** Whether it is this thread's own still, by the last renewal. */
  readonly isHeld = (): boolean => this.#renewed !== null && elapsedSince(this.#renewed) < HELD_MS

  /** What there is in all, and how much of it is in use here, connections and permits alike. */
  get wish() {
    const { connections, permits } = this.#limits
    const { count, cooldownMs } = permits ?? { count: 0, cooldownMs: 0 }
    for (const pool of this.#pools) if (pool !== this.#current && pool.open === 0) this.#pools.delete(pool)
    const open = [...this.#pools].reduce((sum, pool) => sum + pool.open, this.#slots.used)
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
  follow({ connections, perSecond }: Pick<SendingAccount, 'connections' | 'perSecond'>, pool: ConnectionPool): void {
    this.#set(connections, perSecond === null ? null : permitsFor(perSecond))
    this.gate = this.#permits ?? openGate
    if (pool !== this.#current) {
      this.#current?.resize(0)
      this.#pools.add(pool)
      this.#current = pool
      pool.resize(this.#granted.connections)
    }
  }

  /** Takes over the pace of its receiver. */
  followReceiver(pace: ReceiverPace): void {
    this.#set(pace.connections ?? UNLIMITED, permitsForReceiver(pace, pace.slowed?.perHour ?? null))
    this.gate = bothGates(this.#slots, this.#permits ?? openGate)
  }

  #set(connections: number, permits: Permits): void {
    const before = this.#limits.permits
    const isSamePace = before?.count === permits?.count && before?.cooldownMs === permits?.cooldownMs
    if (connections !== this.#limits.connections || !isSamePace) this.isStale = true
    this.#limits = { connections, permits }
    if (before?.cooldownMs === permits?.cooldownMs) return
    this.#permits?.resize(0)
    // What the old permits let through counts in the hour of the new ones.
    const restsFirst = this.shared.receiver !== '' && this.#permits !== null
    this.#permits = permits && createPermitGate({ cooldownMs: permits.cooldownMs, restsFirst, isHeld: this.isHeld })
    this.#granted = { ...this.#granted, permits: 0 }
  }

  grant(granted: { connections: number; permits: number }, asked: Mark): void {
    this.#granted = granted
    this.#renewed = asked
    this.#current?.resize(granted.connections)
    if (this.shared.receiver !== '') this.#slots.resize(granted.connections)
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

  /** Messages that may leave within so many milliseconds. */
  readyWithin(ms: number): number {
    return this.#permits?.readyWithin(ms) ?? Number.POSITIVE_INFINITY
  }

  /** Milliseconds between two messages from here; null: none may leave, or there is no limit. */
  get step(): number | null {
    const { cooldownMs } = this.wish
    return this.#granted.permits > 0 && this.#permits ? cooldownMs / this.#granted.permits : null
  }

  /** Closes what is open. Returns whether nothing is any more. */
  close(): boolean {
    for (const pool of this.#pools) pool.resize(0)
    return [...this.#pools].every((pool) => pool.open === 0) && this.#slots.used === 0
  }
}

const toKey = ({ senderId, receiver }: Shared) => `${senderId} ${receiver}`

/**
 * The shares of this thread in the senders it sends through, and in their receivers with a pace. `isGone`: whether another holder of one
 * has certainly ended, so that it is free before it expires.
 */
export class Shares {
  #db: Db
  /** How this thread is known among those that share senders. */
  #worker = JSON.stringify(thisOwner())
  #isGone: (worker: string) => boolean
  #shares = new Map<string, Share>()
  #leaving = new Map<string, Promise<void>>()

  constructor(db: Db, isGone: (owner: JournalOwner) => boolean) {
    this.#db = db
    this.#isGone = (worker) => isGone(JSON.parse(worker))
  }

  /** The share in a sender, renewed where its settings changed; it counts a user, who has to `leave`. */
  enter(account: SendingAccount, pool: ConnectionPool): Promise<Share> {
    return this.#enter({ senderId: account.id, receiver: '' }, (share) => share.follow(account, pool))
  }

  /** What one claim may send to a receiver with a pace, by the share in it; its claim has to `leave` it. */
  async enterReceiver(senderId: string, pace: ReceiverPace): Promise<ReceiverLane> {
    const { receiver } = pace
    const share = await this.#enter({ senderId, receiver }, (share) => share.followReceiver(pace))
    return new ReceiverLane(share, () => this.leave(share))
  }

  async #enter(shared: Shared, follow: (share: Share) => void): Promise<Share> {
    const key = toKey(shared)
    await this.#leaving.get(key)
    const share = this.#shares.get(key) ?? new Share(shared)
    this.#shares.set(key, share)
    share.users++
    follow(share)
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
    const rows = await keepShares(
      this.#db,
      this.#worker,
      held.map(({ shared }) => shared),
    )
    const kept = new Map(rows.map((row) => [toKey(row), row.isShared]))
    for (const share of held) {
      if (kept.get(toKey(share.shared)) === false && !share.isStale) share.renewed(asked)
      else await this.#renew(share)
    }
  }

  /** Gives everything back, at the end of the thread. */
  async close(): Promise<void> {
    await leaveShares(
      this.#db,
      this.#worker,
      [...this.#shares.values()].map(({ shared }) => shared),
    )
  }

  #giveUp({ shared }: Share, log: Pick<Log, 'error'>): void {
    const key = toKey(shared)
    this.#shares.delete(key)
    const done = leaveShares(this.#db, this.#worker, [shared])
      // It expires by itself.
      .catch((error) => log.error({ err: error, ...shared }, 'a share could not be given back'))
      .finally(() => this.#leaving.delete(key))
    this.#leaving.set(key, done)
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
    const granted = await renewShare(this.#db, this.#worker, share.shared, { total, using, cooldownMs }, this.#isGone)
    if (granted) share.grant(granted, asked)
    else share.isStale = true
  }
}
