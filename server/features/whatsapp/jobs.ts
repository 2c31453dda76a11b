import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { answerMessage } from './automation/answer.ts'
import { answerJob, hooksJob, queueHooks, queueTemplates, templatesJob } from './queues.ts'
import { takeStale } from './templates/store.ts'
import { syncTemplates } from './templates/templates.ts'
import { forgetHooks, waitingAccounts } from './webhook/store.ts'
import { workHooks } from './webhook/work.ts'

const LOOK_EVERY_MS = 15_000

/** Works on webhooks; takes up those whose worker died and forgets old ones. Answers how to stop looking. */
export async function handleJobs(services: Services, works: boolean): Promise<() => void> {
  const { db, queue, log } = services
  await queue.handle(
    hooksJob,
    ({ workspaceId, accountId }, signal) => workHooks(services, workspaceId, accountId, signal),
    2,
  )
  await queue.handle(answerJob, (given) => answerMessage(services, given), 4)
  await queue.handle(templatesJob, async ({ workspaceId, accountId }) => {
    // What Meta refuses is refused again; the page has a button to ask anew.
    await syncTemplates(services, workspaceId, accountId).catch((error) => {
      if (!(error instanceof Refusal) || error.status >= 500) throw error
    })
  })
  if (!works) return () => undefined
  const look = async () => {
    for (const { workspaceId, accountId } of await waitingAccounts(db)) await queueHooks(queue, workspaceId, accountId)
    for (const { workspaceId, id } of await takeStale(db)) await queueTemplates(queue, workspaceId, id)
    await forgetHooks(db)
  }
  const clock = setInterval(() => {
    look().catch((error) => log.error({ err: error }, 'looking for webhooks left behind failed'))
  }, LOOK_EVERY_MS)
  clock.unref()
  return () => clearInterval(clock)
}
