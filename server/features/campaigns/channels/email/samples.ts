/** The campaign of the sample data: written down as sent, with recipients whom nothing was sent to. */
import { sql } from 'kysely'
import type { Plan } from '#server/engine/index.ts'
import { deleteMessageEvents } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { insertCampaign } from '../../store.ts'
import { writeLinks } from './launch.ts'

/** One recipient of the sample campaign. */
export interface SampleMessage {
  contactId: string
  address: string
  state: 'sent' | 'failed' | 'suppressed'
  reason: string
  response: string
  /** When the last try ended; of one that was skipped, when the campaign started. */
  at: Date
}

interface SampleCampaign {
  name: string
  plan: Plan
  templateId: string
  listId: string
  startedAt: Date
  finishedAt: Date
}

/** Adds the campaign with its recipients. Returns its id, and the ids of the messages in the order of the recipients. */
export async function addSampleCampaign(
  db: Db,
  workspaceId: string,
  { name, plan, templateId, listId, startedAt, finishedAt }: SampleCampaign,
  messages: SampleMessage[],
): Promise<{ campaignId: string; messageIds: string[] }> {
  const times = { startedAt, finishedAt, audienceAt: startedAt, createdAt: startedAt, updatedAt: finishedAt }
  const fields = { name, subject: plan.subject, templateId, plan: JSON.stringify(plan), isSample: true, ...times }
  const campaignId = await insertCampaign(db, workspaceId, fields, { listIds: [listId] }, [])
  await sql`update campaigns set state = 'sent' where workspace_id = ${workspaceId} and id = ${campaignId}`.execute(db)
  await writeLinks(db, { workspaceId, id: campaignId }, plan)
  if (messages.length === 0) return { campaignId, messageIds: [] }
  const rows = await db
    .insertInto('messages')
    .values(
      messages.map(({ at, ...message }) => ({
        ...{ ...message, workspaceId, campaignId, dueAt: null, queuedAt: startedAt },
        ...(message.state !== 'suppressed' && { attempts: 1, firstAttemptAt: at }),
        ...(message.state === 'sent' && { sentAt: at }),
      })),
    )
    .returning(['id', 'contactId'])
    .execute()
  const ids = new Map(rows.map((row) => [row.contactId, row.id]))
  return { campaignId, messageIds: messages.map(({ contactId }) => ids.get(contactId) ?? '') }
}

/** Removes the campaigns of the sample data, those the user deleted too, with everything of them. */
export async function removeSampleCampaigns(db: Db, workspaceId: string): Promise<void> {
  const campaigns = await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('isSample', '=', true)
    .select('id')
    .execute()
  const ids = campaigns.map(({ id }) => id)
  if (ids.length === 0) return
  const messages = await db
    .deleteFrom('messages')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', 'in', ids)
    .returning('id')
    .execute()
  await deleteMessageEvents(
    db,
    workspaceId,
    messages.map(({ id }) => id),
  )
  await db.deleteFrom('campaigns').where('workspaceId', '=', workspaceId).where('id', 'in', ids).execute()
}
