import { noteBounce, noteFeedback } from '#server/features/campaigns/index.ts'
import type { AwaitedEmail, ReportedDomain } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Report } from '../reports.ts'
import { noteEvents, noteListened, noteReceived, type SourceRow, workspaceOfMessage } from '../store.ts'

/** What an address of ours stands for: one message, everything of a workspace that is complained about, a sending domain, or an email that checks one. */
export type Target =
  | { messageId: string }
  | { source: SourceRow }
  | { domain: ReportedDomain }
  | { awaited: AwaitedEmail }

/**
 * Applies what a report says, in one transaction. `marks`: the messages of ours that it names. What is reported again changes
 * nothing. Throws TooEarly.
 */
export async function applyReport(
  db: Db,
  targets: Target[],
  { report, marks }: { report: Report; marks: string[] },
): Promise<void> {
  await db.transaction().execute(async (db) => {
    for (const target of targets) {
      if ('messageId' in target) await applyReturned(db, target.messageId, report)
      else if ('source' in target) await applyFeedback(db, target.source, report, marks)
    }
  })
}

/** The address names the message, and only we can have made it. */
async function applyReturned(db: Db, messageId: string, report: Report): Promise<void> {
  const workspaceId = await workspaceOfMessage(db, messageId)
  if (workspaceId === undefined) return
  await noteReport(db, workspaceId, messageId, report, 'listener')
  await noteListened(db, workspaceId)
}

/** Anybody can write to the address: a report counts where it brings back our own mark of a message of the workspace. */
export async function applyFeedback(db: Db, source: SourceRow, report: Report, marks: string[]): Promise<boolean> {
  const [messageId] = marks
  if (messageId === undefined || (await workspaceOfMessage(db, messageId)) !== source.workspaceId) return false
  const key = `${report.kind}:${messageId}`
  if ((await noteEvents(db, source, [key])).has(key))
    await noteReport(db, source.workspaceId, messageId, report, source.kind)
  await noteReceived(db, source)
  return true
}

async function noteReport(
  db: Db,
  workspaceId: string,
  messageId: string,
  report: Report,
  source: SourceRow['kind'],
): Promise<void> {
  if (report.kind === 'bounce')
    await noteBounce(db, workspaceId, messageId, { bounces: report.bounces, at: new Date(), source })
  else if (report.kind === 'complaint' || report.kind === 'opt_out')
    await noteFeedback(db, workspaceId, messageId, report.kind)
}
