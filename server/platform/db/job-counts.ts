import type pg from 'pg'

type Queries = Pick<pg.Pool, 'query'>

/** The jobs of one queue. */
export interface JobCounts {
  name: string
  /** How many, by pg-boss's state; a state without jobs is not there. */
  states: Record<string, number>
  /** Due now. */
  waiting: number
  active: number
  /** Planned for a later time. */
  later: number
  /** Given up in the last 24 hours. */
  failed: number
  /** How long the oldest one has been due; null where none is. */
  oldestSeconds: number | null
}

/** The jobs of every queue, by name, in one walk over them: pg-boss removes old ones. */
export async function countJobs(pool: Queries): Promise<JobCounts[]> {
  const { rows } = await pool.query<
    Record<'name' | 'waiting' | 'later' | 'failed', string> & { states: Record<string, number>; oldest: string | null }
  >(
    `with jobs as (
       select name, state, count(*) as n,
         count(*) filter (where start_after <= now()) as due,
         count(*) filter (where completed_on > now() - interval '24 hours') as lately,
         min(greatest(created_on, start_after)) filter (where start_after <= now()) as oldest
       from pgboss.job group by name, state
     )
     select q.name, coalesce(jsonb_object_agg(j.state, j.n) filter (where j.n is not null), '{}') as states,
       coalesce(sum(j.due) filter (where j.state in ('created', 'retry')), 0) as waiting,
       coalesce(sum(j.n - j.due) filter (where j.state in ('created', 'retry')), 0) as later,
       coalesce(sum(j.lately) filter (where j.state = 'failed'), 0) as failed,
       extract(epoch from now() - min(j.oldest) filter (where j.state in ('created', 'retry'))) as oldest
     from pgboss.queue q left join jobs j on j.name = q.name group by q.name order by q.name`,
  )
  return rows.map(({ name, states, waiting, later, failed, oldest }) => ({
    name,
    states,
    waiting: Number(waiting),
    active: states.active ?? 0,
    later: Number(later),
    failed: Number(failed),
    oldestSeconds: oldest === null ? null : Math.max(0, Math.round(Number(oldest))),
  }))
}

/** Seconds since a process that works jobs was last heard of; null when none has been yet. */
export async function findWorkerSilence(pool: Queries): Promise<number | null> {
  const { rows } = await pool.query<{ seconds: number | null }>(
    'select extract(epoch from now() - max(monitor_on))::float8 as seconds from pgboss.queue',
  )
  return rows[0]?.seconds ?? null
}

/** A claim says every few seconds that its thread lives. */
const SILENT_SECONDS = 60

/** How many slices of messages are claimed, and how many of those have a worker that no longer reports. */
export async function countClaims(pool: Queries): Promise<{ claims: number; silent: number }> {
  const { rows } = await pool.query<{ claims: string; silent: string }>(
    `select count(*) as claims, count(*) filter (where alive_at < now() - make_interval(secs => ${SILENT_SECONDS})) as silent
     from claims`,
  )
  return { claims: Number(rows[0]?.claims ?? 0), silent: Number(rows[0]?.silent ?? 0) }
}
