import { sql } from 'kysely'
import type { SampleData } from '#contracts/samples/samples.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What there is of the sample data; each part costs one look-up. */
export async function findSamples(db: Db, workspaceId: string): Promise<SampleData> {
  const { rows } = await sql<{
    campaignId: string | null
    listId: string | null
    templateId: string | null
    hasContacts: boolean
  }>`select
    (select max(id)::text from campaigns where workspace_id = ${workspaceId} and is_sample and deleted_at is null) as campaign_id,
    (select max(id)::text from lists where workspace_id = ${workspaceId} and is_sample) as list_id,
    (select max(id)::text from templates where workspace_id = ${workspaceId} and is_sample) as template_id,
    exists (select 1 from contacts where workspace_id = ${workspaceId} and source = 'sample') as has_contacts`.execute(
    db,
  )
  const { campaignId = null, listId = null, templateId = null, hasContacts = false } = rows[0] ?? {}
  const isPresent = hasContacts || campaignId !== null || listId !== null || templateId !== null
  return { isPresent, campaignId, listId, templateId }
}

/** Holds a workspace against others that add or remove its sample data, until the transaction ends. */
export async function lockWorkspace(db: Db, workspaceId: string): Promise<void> {
  await db.selectFrom('workspaces').where('id', '=', workspaceId).select('id').forNoKeyUpdate().executeTakeFirst()
}
