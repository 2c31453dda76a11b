/** The stored WhatsApp messages of campaigns: written before they are handed over, and again when Meta responds. */
import { sql } from 'kysely'
import type { Outcome } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A message about to be handed over. `person`: the number without the plus, or the user id. */
interface Queued {
  messageId: string
  person: string
  text: string
  country: string | null
}

/**
 * Writes messages down, one row per recipient: an earlier try is overwritten, and later statuses of that try find no row.
 * Returns the rows' ids by the recipients' ids.
 */
export async function insertQueued(
  db: Db,
  number: { id: string; workspaceId: string },
  campaignId: string,
  template: { name: string; category: string },
  messages: Queued[],
): Promise<Map<string, string>> {
  const column = <K extends keyof Queued>(key: K) => messages.map((message) => message[key])
  await sql`delete from whatsapp_messages
    where workspace_id = ${number.workspaceId} and message_id = any(${column('messageId')}::bigint[])`.execute(db)
  const { rows } = await sql<{ id: string; messageId: string }>`
    insert into whatsapp_messages (workspace_id, account_id, conversation_id, person, direction, kind, text, status, campaign_id, message_id,
      template_name, category, country)
    select ${number.workspaceId}, ${number.id}, c.id, given.person, 'out', 'template', given.text, 'queued', ${campaignId}, given.id,
      ${template.name}, ${template.category.toLowerCase()}, given.country
    from unnest(${column('messageId')}::bigint[], ${column('person')}::text[], ${column('text')}::text[], ${column('country')}::text[])
      as given (id, person, text, country)
    left join whatsapp_conversations c on c.workspace_id = ${number.workspaceId} and c.account_id = ${number.id} and given.person in (c.wa_id, c.bsuid)
    returning id, message_id`.execute(db)
  return new Map(rows.map((row) => [row.messageId, row.id]))
}

/** Forgets what was written down for messages that were not handed over after all. */
export async function forgetUnsent(db: Db, campaignId: string): Promise<void> {
  await sql`delete from whatsapp_messages w using messages m where w.campaign_id = ${campaignId} and w.status = 'queued'
    and m.workspace_id = w.workspace_id and m.id = w.message_id and m.state in ('queued', 'deferred', 'suppressed')`.execute(
    db,
  )
}

/** Notes Meta's responses with the stored messages; `state` is the recipient's. A status that came meanwhile knows more. */
export async function noteOutcomes(
  db: Db,
  workspaceId: string,
  noted: { id: string; outcome: Outcome; state: string }[],
): Promise<void> {
  const ids = noted.map(({ id }) => id)
  await sql`select id from whatsapp_messages
    where workspace_id = ${workspaceId} and message_id = any(${ids}::bigint[]) order by id for update`.execute(db)
  const status = ({ outcome, state }: (typeof noted)[number]) =>
    outcome.kind === 'sent'
      ? 'accepted'
      : outcome.kind === 'unconfirmed'
        ? 'unconfirmed'
        : state === 'deferred'
          ? 'queued'
          : 'failed'
  await sql`
    update whatsapp_messages w set
      wamid = coalesce(w.wamid, nullif(o.wamid, '')),
      person = coalesce(nullif(o.person, ''), w.person),
      at = case when w.status = 'queued' then o.at else w.at end,
      error_code = case when w.status = 'queued' then o.code else w.error_code end,
      error_text = case when w.status = 'queued' then o.text else w.error_text end,
      failed_at = case when w.status = 'queued' and o.status = 'failed' then o.at else w.failed_at end,
      status = case when w.status in ('queued', 'unconfirmed') then o.status else w.status end
    from unnest(${ids}::bigint[], ${noted.map(status)}::text[], ${noted.map(({ outcome }) => outcome.remote?.id ?? '')}::text[],
      ${noted.map(({ outcome }) => outcome.remote?.thread ?? '')}::text[],
      ${noted.map(({ outcome }) => (outcome.kind === 'sent' ? null : outcome.code))}::int[],
      ${noted.map(({ outcome }) => (outcome.kind === 'sent' ? '' : outcome.response))}::text[],
      ${noted.map(({ outcome }) => outcome.at)}::timestamptz[]) as o (id, status, wamid, person, code, text, at)
    where w.message_id = o.id and w.message_id = any(${ids}::bigint[]) and w.workspace_id = ${workspaceId}`.execute(db)
}
