/** The sending thread: watches which campaigns are being sent and runs them, away from the request thread. */
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { createPools, createTokens, journalHome, signReturnAddress } from '#server/engine/index.ts'
import { findLinkBase, findReturnPath, findSigner, sendingAccount } from '#server/features/senders/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { kyselyOn, openPool } from '#server/platform/db/database.ts'
import { createLog } from '#server/platform/log.ts'
import { bootId } from '#server/platform/process-identity.ts'
import { createAlarm } from '#server/platform/threads/alarm.ts'
import { addChannel, allChannels } from '../channels/index.ts'
import { ClaimLeases } from './lease.ts'
import { recover } from './recover.ts'
import { runCampaign } from './run.ts'
import type { RunningCampaign, Sending } from './sending.ts'
import { Shares } from './shares/shares.ts'
import type { ToThread } from './singles/line.ts'
import { serveSingles } from './singles/serve.ts'
import type { ThreadData, Wake } from './start.ts'
import { FIRST, hasRecovered, isGone, isOnly, noteRecovered, SECOND } from './threads/live.ts'
import { beat, hold } from './threads/watchdog.ts'

const PULSE_MS = 1_000
const RECOVER_MS = 10_000

const data = workerData as ThreadData
beat(data.pulse)
for (const module of data.channels) await addChannel(module)
const log = createLog({ logLevel: data.config.logLevel })
const pool = openPool(data.connection, 4, (error) =>
  log.warn({ err: error }, 'an idle database connection of the sending thread broke'),
)
const db = kyselyOn(pool)
// What keeps claims and shares alive waits for no other statement of this thread, and neither for the other.
const pulse = kyselyOn(
  openPool(data.connection, 2, (error) => log.error({ err: error }, 'the connection that keeps claims alive broke')),
)
const folder = join(data.config.dataDir, 'journal')
const stop = new AbortController()
const worker = `${hostname()}:${process.pid}:${threadId}:${bootId()}`
const clients = new Map(
  allChannels().flatMap(({ id, connect }) => {
    const client = connect?.(data.ofChannels[id])
    return client ? [[id, client]] : []
  }),
)
const sending: Sending = {
  stopping: stop.signal,
  db,
  log,
  tokens: createTokens(deriveKey(data.config.secretKey, 'message tokens')),
  pools: createPools(),
  folder,
  home: journalHome(folder),
  worker,
  claims: new ClaimLeases(worker),
  shares: new Shares(pulse, (owner) => isGone(data.threads, owner, data.alone)),
  queue: { enqueue: async ({ name }, payload) => parentPort?.postMessage({ name, payload }) },
  config: data.config,
  clients,
  account: (workspaceId, senderId) => sendingAccount(data.senders, db, workspaceId, senderId),
  signer: (workspaceId, account, from) => findSigner({ config: data.senders.config, db }, workspaceId, account, from),
  returnPath: async (workspaceId, account, from) => {
    const host = await findReturnPath({ config: data.senders.config, db }, workspaceId, account, from)
    return host === undefined ? undefined : (id) => signReturnAddress(sending.tokens, 'bounce', id, host)
  },
  linkBase: (workspaceId, from) => findLinkBase({ config: data.senders.config, db }, workspaceId, from),
  hold: (claimId, messageId) => hold(data.pulse, claimId, messageId),
  crash(error) {
    // Out of any promise, so that it ends the thread.
    setImmediate(() => {
      throw error
    })
    return new Promise(() => undefined)
  },
}

/** `isWoken`: something changed while it ran, so that it is looked at again at once. */
const running = new Map<
  string,
  { abort: AbortController; done: Promise<void>; workspaceId: string; isWoken: boolean }
>()
/** Campaigns that wait, by their ids: until when, in ms of `performance.now()`. */
const waiting = new Map<string, { until: number; workspaceId: string }>()
const alarm = createAlarm()

function launch(campaign: RunningCampaign): void {
  const { id, workspaceId } = campaign
  const abort = new AbortController()
  const waitFor = (ms: number) => {
    if (!running.get(id)?.isWoken) waiting.set(id, { until: performance.now() + ms, workspaceId })
  }
  const done = runCampaign(sending, campaign, abort.signal)
    .then(({ again }) => waitFor(again))
    .catch((error) => {
      log.error({ err: error, campaign: id }, 'a campaign could not go on; trying again')
      waitFor(2_000)
    })
    .finally(() => running.delete(id))
  waiting.delete(id)
  running.set(id, { abort, done, workspaceId, isWoken: false })
}

/** Looks again at a campaign, or at all of a workspace, before its time. */
function wake(wanted: Wake): void {
  const isWanted = (id: string, workspaceId: string) =>
    'campaignId' in wanted ? id === wanted.campaignId : workspaceId === wanted.workspaceId
  for (const [id, { workspaceId }] of waiting) if (isWanted(id, workspaceId)) waiting.delete(id)
  for (const [id, campaign] of running) if (isWanted(id, campaign.workspaceId)) campaign.isWoken = true
}

async function look(): Promise<void> {
  const rows = await db
    .selectFrom('campaigns')
    .where('state', '=', 'sending')
    .where('audienceAt', 'is not', null)
    .select(['id', 'workspaceId', 'channel', 'senderId', 'tellsOrigins'])
    .execute()
  const wanted = new Set(rows.map((row) => row.id))
  for (const [id, { abort }] of running) if (!wanted.has(id)) abort.abort()
  for (const id of waiting.keys()) if (!wanted.has(id)) waiting.delete(id)
  for (const row of rows) {
    if (!running.has(row.id) && (waiting.get(row.id)?.until ?? 0) <= performance.now()) launch(row)
  }
}

async function work(): Promise<void> {
  let isFirstLook = true
  let recoverAt = 0
  while (!stop.signal.aborted) {
    try {
      const now = performance.now()
      // Started anew while the first one settles as if nobody else were there, it waits for that.
      if (isFirstLook && data.place === SECOND && !hasRecovered(data.threads)) {
        await alarm.pause(data.pollMs)
        continue
      }
      if (now >= recoverAt) {
        const alone = isFirstLook && data.alone && isOnly(data.threads)
        await recover({ ...sending, alone, isGone: (owner) => isGone(data.threads, owner) })
        recoverAt = now + RECOVER_MS
        isFirstLook = false
        if (data.place === FIRST) noteRecovered(data.threads)
      }
      await look()
    } catch (error) {
      log.error({ err: error }, 'the sending thread had trouble; trying again')
    }
    await alarm.pause(data.pollMs)
  }
}

/** Keeps something alive, until nothing is under way any more. */
async function keepAlive(keep: () => Promise<void>, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await keep().catch((error) => log.error({ err: error }, 'what is being sent could not be kept alive; trying again'))
    await wait(PULSE_MS, undefined, { signal: until }).catch(() => undefined)
  }
}

const singles = serveSingles(sending, (message) => parentPort?.postMessage(message))

parentPort?.on('message', (message: 'stop' | Wake | ToThread) => {
  if (typeof message === 'object' && 'single' in message) {
    singles.hear(message)
    return
  }
  if (message === 'stop') {
    stop.abort()
    for (const { abort } of running.values()) abort.abort()
  } else wake(message)
  alarm.ring()
})

const ended = new AbortController()
const keeping = [() => sending.claims.renew(pulse), () => sending.shares.tick(log)].map((keep) =>
  keepAlive(keep, ended.signal),
)
await work()
await Promise.allSettled([...running.values()].map(({ done }) => done))
await singles.done()
await sending.pools.close()
ended.abort()
await Promise.all(keeping)
// Should the database be away they expire by themselves.
await sending.shares.close().catch((error) => log.error({ err: error }, 'shares could not be given back'))
await pulse.destroy()
for (const client of clients.values()) await client.close()
await db.destroy()
parentPort?.close()
