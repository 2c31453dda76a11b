/** The thread that takes reports apart: what strangers send may be made to take long. */
// Not through the engine's index: it also loads what compiles templates, which takes long and is not needed here.
import { readReport } from '#server/engine/bounces/bounce.ts'
import { readAggregateMail } from '#server/engine/dmarc/mail.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import type { ReportTask } from '../reports.ts'

serveTasks(({ kind, raw }: ReportTask) => (kind === 'report' ? readReport(raw) : readAggregateMail(raw)))
