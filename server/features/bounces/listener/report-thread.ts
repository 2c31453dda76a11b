/** The thread that takes reports apart: what strangers send may be made to take long. */
// Not through the engine's index: it also loads what compiles templates, which takes long and is not needed here.
import { readReport } from '#server/engine/bounces/bounce.ts'
import { authenticate } from '#server/engine/dmarc/authentication.ts'
import { findAuthor } from '#server/engine/dmarc/author.ts'
import { readAggregateMail } from '#server/engine/dmarc/mail.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import type { ReportTask } from '../reports.ts'

serveTasks((task: ReportTask) => {
  if (task.kind === 'report') return readReport(task.raw)
  if (task.kind === 'aggregate') return readAggregateMail(task.raw)
  if (task.kind === 'authentication') return authenticate(task.raw, task.servers, task.delivery, task.mark)
  return findAuthor(task.raw, task.servers, task.delivery)
})
