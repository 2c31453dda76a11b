import type { Db } from '#server/platform/db/database.ts'

/** Gives a new workspace its default sender, which sends over SMTP_URL. */
export async function addDefaultSender(db: Db, workspaceId: string): Promise<void> {
  await db.insertInto('senders').values({ workspaceId, isDefault: true, name: 'Default mail server', connections: 10 }).execute()
}
