import { sql } from 'kysely'
import type { AutomationRules } from '#contracts/whatsapp/automations.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Automatic, KnownContact } from './engine.ts'

export interface AutomationRow extends Automatic {
  accountId: string
  active: boolean
  place: number
  answered: number
  createdAt: Date
  updatedAt: Date
}

const shown = sql`a.id, a.account_id, a.kind, a.name, a.active, a.place, a.rules, a.created_at, a.updated_at`
/** keyword, welcome, away, fallback: the order they are asked in. */
const order = sql`array_position(array['keyword','welcome','away','fallback'], a.kind), a.place, a.id`

/** In the order they are asked; `skip` of them omitted. */
export async function automationPage(
  db: Db,
  workspaceId: string,
  page: { limit: number; skip: number; accountId?: string | undefined },
): Promise<AutomationRow[]> {
  const { rows } = await sql<AutomationRow>`
    select ${shown}, (select count(*)::int from whatsapp_messages m where m.workspace_id = a.workspace_id
      and m.at > now() - interval '30 days' and m.automation_id = a.id) as answered
    from whatsapp_automations a where a.workspace_id = ${workspaceId} ${page.accountId ? sql`and a.account_id = ${page.accountId}` : sql``}
    order by a.account_id, ${order} limit ${page.limit} offset ${page.skip}`.execute(db)
  return rows
}

export async function automationById(db: Db, workspaceId: string, id: string): Promise<AutomationRow | undefined> {
  const { rows } = await sql<AutomationRow>`
    select ${shown}, (select count(*)::int from whatsapp_messages m where m.workspace_id = a.workspace_id
      and m.at > now() - interval '30 days' and m.automation_id = a.id) as answered
    from whatsapp_automations a where a.workspace_id = ${workspaceId} and a.id = ${id}`.execute(db)
  return rows[0]
}

/** The active ones of a number, in the order they are asked. */
export async function activeAutomations(db: Db, workspaceId: string, accountId: string): Promise<Automatic[]> {
  const { rows } = await sql<Automatic>`select a.id, a.kind, a.name, a.rules from whatsapp_automations a
    where a.workspace_id = ${workspaceId} and a.account_id = ${accountId} and a.active order by ${order} limit 500`.execute(
    db,
  )
  return rows
}

interface Fields {
  name?: string | undefined
  active?: boolean | undefined
  place?: number | undefined
  rules?: AutomationRules | undefined
}

export async function insertAutomation(
  db: Db,
  workspaceId: string,
  given: Required<Fields> & {
    accountId: string
    kind: string
    name: string
    active: boolean
    place: number
    rules: AutomationRules
  },
): Promise<string> {
  const { id } = await db
    .insertInto('whatsappAutomations')
    .values({ workspaceId, ...given, rules: JSON.stringify(given.rules) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateAutomation(
  db: Db,
  workspaceId: string,
  id: string,
  { rules, ...plain }: Fields,
): Promise<void> {
  await db
    .updateTable('whatsappAutomations')
    .set({ ...plain, ...(rules && { rules: JSON.stringify(rules) }), updatedAt: sql<Date>`now()` } as object)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteAutomation(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('whatsappAutomations')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}

/** What answered by itself in a conversation in the last 24 hours. Several sayings at once are one answer. */
export async function recentReplies(
  db: Db,
  workspaceId: string,
  conversationId: string,
): Promise<{ automationId: string | null; at: Date }[]> {
  const { rows } = await sql<{ automationId: string | null; at: Date }>`
    select automation_id, min(at) as at from whatsapp_messages
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and direction = 'out' and automation_id is not null and at > now() - interval '24 hours'
    group by automation_id, content ->> 'replyTo'`.execute(db)
  return rows
}

/** A contact as the conditions see it. */
export async function knownContact(db: Db, workspaceId: string, id: string | null): Promise<KnownContact | null> {
  if (id === null) return null
  const { rows } = await sql<KnownContact>`select name, email, phone, attributes,
      array(select list_id::text from list_members where contact_id = c.id and workspace_id = c.workspace_id and status = 'confirmed') as lists
    from contacts c where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  return rows[0] ?? null
}
