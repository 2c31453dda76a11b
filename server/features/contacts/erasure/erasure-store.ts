/** What contacts itself holds of one person, taken out. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { anySpelling, type ErasedAddresses, without } from './erased.ts'

/** Contacts that an import or a crawl job made with one of these addresses. */
export async function broughtBack(
  db: Db,
  workspaceId: string,
  { emailKey, phone }: Pick<ErasedAddresses, 'emailKey' | 'phone'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspaceId} and source in ('import', 'collected')
      and (email_key = ${emailKey} or (email_key is null and phone = ${phone}))`.execute(db)
  return rows.map((row) => row.id)
}

/** Takes the person out of what could not be imported and of where contacts come from. */
export async function clearFound(db: Db, who: ErasedAddresses): Promise<void> {
  const { workspaceId } = who
  await sql`update import_errors set line = '' where workspace_id = ${workspaceId} and import_id in (select id from imports where workspace_id = ${workspaceId})
    and line ~* ${anySpelling(who)}`.execute(db)
  await sql`update contact_origins set evidence = ${without(sql`evidence`, who)} where workspace_id = ${workspaceId}
    and evidence ~* ${anySpelling(who)}`.execute(db)
}
