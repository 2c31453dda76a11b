import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { CollectorKind, CollectorState } from '#contracts/collector/collector.ts'
import type { Db } from '#server/platform/db/database.ts'
import { addSetting } from '#server/platform/settings.ts'
import type { Settings } from '../store.ts'

/** A process that says nothing for so long has lost its jobs. */
const LEASE_SECONDS = 12
/** A job that was started so often without getting on is given up. */
export const MAX_FAILURES = 5
/** From so many on a job has a process to itself: others are not stopped by it, nor blamed for what it does. */
const SUSPECT = 2
const GIVEN_UP = 'The scrape failed several times because of an error on our side. The results are retained.'

/** A site that turned out to forbid collecting. */
export interface Forgotten {
  host: string
  text: string
}

/** A job taken by this process, and the name of the run: a process that takes it over has another one. */
export interface LeasedJob {
  id: string
  workspaceId: string
  kind: CollectorKind
  settings: Settings
  hosts: string[]
  pagesFetched: number
  forgotten: Forgotten[]
  worker: string
  /** Starts since it last got on, this one included. */
  failures: number
}

const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/** Whether any workspace has a job that is queued or running. */
export const isAnyOpen = sql<boolean>`exists (select 1 from crawl_jobs where state in ('queued', 'running'))`

/**
 * Takes the job whose turn it is, or undefined. Jobs of workspaces with few running ones come first. All jobs that touch a
 * site run in one process, which knows when it asked whom: two processes never ask one host at the same time. One claim
 * at a time, over all processes, because two could otherwise take two jobs of one site in the same moment. The start is
 * counted before it happens: a job may end the thread. `isBusy`: the process has jobs, and a suspect one waits.
 */
export function claimJob(db: Db, process: string, isBusy: boolean): Promise<LeasedJob | undefined> {
  return db.transaction().execute(async (db) => {
    await sql`select from settings where key = 'crawl_claims' for update`.execute(db)
    const { rows: held } = await sql<{ workspaceId: string; isOurs: boolean; sites: string[] }>`
      select workspace_id, split_part(worker, '#', 1) = ${process} as is_ours, sites from crawl_jobs where leased_until >= now()`.execute(
      db,
    )
    const sites = held.filter(({ isOurs }) => !isOurs).flatMap((job) => job.sites)
    const { rows: next } = await sql<{ workspaceId: string; id: string }>`
      select j.workspace_id, j.id from crawl_jobs j
      where j.state in ('queued', 'running') and (j.leased_until is null or j.leased_until < now())
        and j.failures < ${isBusy ? SUSPECT : MAX_FAILURES} and not j.sites && ${sites}::text[]
        and exists (select 1 from users u where u.workspace_id = j.workspace_id and u.suspended_at is null)
      order by j.failures >= ${SUSPECT}, cardinality(array_positions(${held.map((job) => job.workspaceId)}::bigint[], j.workspace_id)), j.id
      limit 1`.execute(db)
    if (!next[0]) return undefined
    const { rows } = await sql<LeasedJob>`
      update crawl_jobs set state = 'running', failures = failures + 1, worker = ${`${process}#${randomUUID()}`}, leased_until = ${leaseEnd},
        started_at = coalesce(started_at, (select now())), state_text = ''
      where workspace_id = ${next[0].workspaceId} and id = ${next[0].id} and state in ('queued', 'running')
        and (leased_until is null or leased_until < now())
      returning id, workspace_id, kind, settings, hosts, pages_fetched, forgotten, worker, failures`.execute(db)
    return rows[0]
  })
}

/** Ends jobs whose last start ended the thread once too often. Returns their ids. */
export async function giveUpJobs(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update crawl_jobs set state = 'failed', state_text = ${GIVEN_UP}, finished_at = now(), worker = null, leased_until = null
    where state in ('queued', 'running') and failures >= ${MAX_FAILURES} and (leased_until is null or leased_until < now())
    returning id`.execute(db)
  return rows.map((row) => row.id)
}

/** Whether a job needs the process for itself. */
export const isSuspect = ({ failures }: LeasedJob) => failures > SUSPECT

/** Makes the row that claims wait for. */
export const prepareClaims = (db: Db): Promise<boolean> => addSetting(db, 'crawl_claims', 'one at a time')

/** The states of jobs whose runs still hold them; what is missing was taken over or removed. `extend`: they hold them for longer. */
export async function leasedStates(db: Db, workers: string[], extend: boolean): Promise<Map<string, CollectorState>> {
  if (workers.length === 0) return new Map()
  const { rows } = extend
    ? await sql<{ id: string; state: CollectorState }>`
        update crawl_jobs set leased_until = ${leaseEnd} where worker = any(${workers}::text[]) and leased_until is not null
        returning id, state`.execute(db)
    : await sql<{ id: string; state: CollectorState }>`
        select id, state from crawl_jobs where worker = any(${workers}::text[]) and leased_until is not null`.execute(
        db,
      )
  return new Map(rows.map((row) => [row.id, row.state]))
}

/** Lets go of a job: the next process has it a second later, so that two processes together ask a host no quicker than one. */
export async function releaseJob(db: Db, worker: string, how: 'in order' | 'failed' = 'in order'): Promise<void> {
  await db
    .updateTable('crawlJobs')
    .set({
      worker: null,
      leasedUntil: sql<Date>`now() + interval '1 second'`,
      ...(how === 'in order' && { failures: 0 }),
    })
    .where('worker', '=', worker)
    .where('leasedUntil', 'is not', null)
    .execute()
}

/** The embedded database has one process: whatever is held when it starts was left behind by a killed one. */
export async function releaseAll(db: Db): Promise<void> {
  await db
    .updateTable('crawlJobs')
    .set({ worker: null, leasedUntil: null })
    .where('leasedUntil', 'is not', null)
    .execute()
}

/** The start of a run does not count: what came in its way was nobody's fault. */
export async function forgiveStart(db: Db, worker: string): Promise<void> {
  await db
    .updateTable('crawlJobs')
    .set({ failures: sql<number>`greatest(0, failures - 1)` })
    .where('worker', '=', worker)
    .execute()
}

/** Says how a run ended, if the job is still this run's and running, and lets go of it. */
export async function endJob(
  db: Db,
  worker: string,
  end: { state: 'done' | 'failed'; stateText: string },
): Promise<void> {
  await db
    .updateTable('crawlJobs')
    .set({ ...end, finishedAt: sql<Date>`now()`, worker: null, leasedUntil: null })
    .where('worker', '=', worker)
    .where('leasedUntil', 'is not', null)
    .where('state', '=', 'running')
    .execute()
  await releaseJob(db, worker)
}

/** Pauses the job of a run that must not go on, or ends it where nothing was left to do. */
export async function pauseOrEndJob(
  db: Db,
  { workspaceId, worker }: Pick<LeasedJob, 'workspaceId' | 'worker'>,
  stateText: string,
): Promise<void> {
  const isLeft = sql`pages_queued > 0 and pages_fetched < (settings ->> 'maxPages')::int`
  await sql`update crawl_jobs set
      state = case when ${isLeft} then 'paused' else 'done' end,
      state_text = case when ${isLeft} then ${stateText} else '' end,
      finished_at = case when ${isLeft} then null else (select now()) end
    where workspace_id = ${workspaceId} and worker = ${worker} and leased_until is not null and state = 'running'`.execute(
    db,
  )
}

/** A word about how it goes, shown while the job runs. */
export async function noteOnJob(db: Db, worker: string, text: string): Promise<void> {
  await db
    .updateTable('crawlJobs')
    .set({ stateText: text })
    .where('worker', '=', worker)
    .where('leasedUntil', 'is not', null)
    .where('state', '=', 'running')
    .execute()
}
