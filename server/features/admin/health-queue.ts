import type { z } from 'zod'
import type { admin, HealthLine } from '#contracts/admin/admin.ts'
import { countJobs, findWorkerSilence } from '#server/platform/db/job-counts.ts'
import type { Services } from '#server/services.ts'
import { many, spell } from './health-labels.ts'

type QueueServices = Pick<Services, 'pool'> & { config: Pick<Services['config'], 'role'> }
type Jobs = z.input<typeof admin.health.response>['jobs']

const LATE_SECONDS = 60
const VERY_LATE_SECONDS = 15 * 60
/** pg-boss looks after its queues every 15 seconds where jobs are worked. */
const WORKER_GONE_SECONDS = 5 * 60

function waitingLine(jobs: Jobs): HealthLine {
  const sum = (key: 'waiting' | 'active' | 'later') => jobs.reduce((all, job) => all + job[key], 0)
  const oldest = Math.max(0, ...jobs.map((job) => job.oldestSeconds ?? 0))
  const state = oldest > VERY_LATE_SECONDS ? 'bad' : oldest > LATE_SECONDS ? 'warning' : 'ok'
  const waits =
    sum('waiting') > 0 ? `${many(sum('waiting'), 'job')} waiting, the oldest for ${spell(oldest)}` : 'None waiting'
  return {
    area: 'queue',
    name: 'Jobs',
    state,
    text: `${waits}; ${sum('active')} running, ${sum('later')} scheduled.`,
    advice:
      state === 'ok'
        ? ''
        : 'Jobs arrive faster than they are processed. Check that a worker runs, or start another one.',
  }
}

function failedLine(jobs: Jobs): HealthLine {
  const failed = jobs.filter((job) => job.failed > 0)
  return {
    area: 'queue',
    name: 'Failed jobs',
    state: failed.length > 0 ? 'warning' : 'ok',
    text:
      failed.length > 0
        ? `In the last 24 hours: ${failed.map((job) => `${job.failed} ${job.name}`).join(', ')}.`
        : 'None in the last 24 hours.',
    advice: failed.length > 0 ? 'The server log lists each with its reason (“a job failed”).' : '',
  }
}

async function workerLine(services: QueueServices): Promise<HealthLine> {
  const line = { area: 'queue' as const, name: 'Worker' }
  if (services.config.role !== 'web') return { ...line, state: 'ok', text: 'This process runs jobs.', advice: '' }
  const silence = await findWorkerSilence(services.pool)
  if (silence === null)
    return {
      ...line,
      state: 'unknown',
      text: 'No worker has reported yet.',
      advice: 'Start a worker: the same program with ROLE=worker.',
    }
  if (silence < WORKER_GONE_SECONDS)
    return { ...line, state: 'ok', text: `A worker reported ${spell(silence)} ago.`, advice: '' }
  return {
    ...line,
    state: 'bad',
    text: `No worker has reported for ${spell(silence)}.`,
    advice: 'Start a worker: the same program with ROLE=worker. Until then no campaigns start and no emails are sent.',
  }
}

/** The background work: what waits, what is done, what was given up, and whether anybody works. */
export async function queueHealth(services: QueueServices): Promise<{ lines: HealthLine[]; jobs: Jobs }> {
  const jobs = (await countJobs(services.pool)).map(({ states, ...counts }) => counts)
  return { lines: [waitingLine(jobs), failedLine(jobs), await workerLine(services)], jobs }
}
