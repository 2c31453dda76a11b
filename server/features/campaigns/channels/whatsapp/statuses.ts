import { sql } from 'kysely'
import { type CodeMeaning, findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import { failureReason } from '#server/adapters/whatsapp/connection.ts'
import { isOpen, SUSPENDED } from '#server/features/accounts/index.ts'
import { suppressBounced } from '#server/features/contacts/index.ts'
import { restForHours } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'

interface SentMessage {
  id: string
  accountId: string
  campaignId: string
  contactId: string
  state: string
  attempts: number
  status: string
  code: number | null
  text: string
  person: string
}

interface StateChange {
  id: string
  state: string
  reason: string
  response: string
  /** Seconds until it is tried again; null: it is not. */
  again: number | null
}

const MAX_TRIES = 5
const AGAIN_SECONDS = 60
/** Meta names these times: four to the power of the tries for one person's pace, an hour for a form. */
const againAfter = ({ code, attempts }: SentMessage): number =>
  code === 132069 ? 3_600 : code === 131056 ? Math.max(AGAIN_SECONDS, 4 ** attempts) : AGAIN_SECONDS
const TAKEN = ['accepted', 'sent', 'delivered', 'read']

/** Whether a failed status is tried again. 131000 is not: there Meta may have delivered it all the same. */
function isPassing({ code, attempts }: SentMessage): boolean {
  const { action } = findCodeMeaning(code ?? -1)
  if (action === 'once') return attempts < 2
  return code !== 131000 && attempts < MAX_TRIES && (action === 'slow' || action === 'pair' || action === 'retry')
}

function toStateChange(known: SentMessage): StateChange | undefined {
  const { id, state, status, code, text } = known
  const to = (state: string, reason = '', response = text, again: number | null = null) => ({
    id,
    state,
    reason,
    response,
    again,
  })
  if (TAKEN.includes(status)) {
    if (state === 'unconfirmed') return to('sent', '', 'WhatsApp accepted it, according to its webhook.')
    // Failing on one of their devices does not undo that another one got it.
    if (state === 'failed' && (status === 'delivered' || status === 'read'))
      return to('sent', '', 'WhatsApp accepted it.')
    return undefined
  }
  if (status !== 'failed' || (state !== 'sent' && state !== 'unconfirmed')) return undefined
  if (findCodeMeaning(code ?? -1).action === 'suppress') return to('suppressed', 'unsubscribe')
  if (isPassing(known)) return to('deferred', 'busy', text, againAfter(known))
  return to('failed', code === null ? 'refused' : failureReason(code))
}

/**
 * Brings the recipients of campaigns to what is known of their WhatsApp messages: unconfirmed ones are settled, those that
 * failed later are failed, and a failure that stops everything pauses the campaign. Called by the webhooks and after each
 * answer, in the transaction that wrote the messages; the second finds what the first wrote.
 */
export async function settleMessages(db: Db, workspaceId: string, messageIds: string[]): Promise<void> {
  if (messageIds.length === 0) return
  // Held first and read after: of two workers the second one sees what the first did.
  await sql`select id from messages where id = any(${messageIds}::bigint[]) and workspace_id = ${workspaceId} order by id for update`.execute(
    db,
  )
  const { rows } = await sql<SentMessage>`
    select m.id, w.account_id, m.campaign_id, m.contact_id, m.state, m.attempts, w.status, w.error_code as code, w.error_text as text, w.person
    from messages m join whatsapp_messages w on w.workspace_id = m.workspace_id and w.message_id = m.id
    where m.id = any(${messageIds}::bigint[]) and m.workspace_id = ${workspaceId} and m.state in ('sent', 'unconfirmed', 'failed')`.execute(
    db,
  )
  const changes = rows.flatMap((row) => toStateChange(row) ?? [])
  if (changes.length === 0) return
  const column = <K extends keyof StateChange>(key: K) => changes.map((change) => change[key])
  await sql`
    update messages m set state = c.state, reason = c.reason, response = c.response,
      due_at = case when c.again is not null then (select now() + make_interval(secs => c.again)) end
    from unnest(${column('id')}::bigint[], ${column('state')}::text[], ${column('reason')}::text[], ${column('response')}::text[],
      ${column('again')}::float8[]) as c (id, state, reason, response, again)
    where m.workspace_id = ${workspaceId} and m.id = c.id and m.id = any(${column('id')}::bigint[])`.execute(db)
  const failed = rows.filter(({ status, state }) => status === 'failed' && state !== 'failed')
  if (changes.some(({ state }) => state === 'deferred'))
    await goOn(db, workspaceId, [...new Set(failed.map((row) => row.campaignId))])
  await pauseStopped(db, workspaceId, failed)
  await barUnreachable(db, workspaceId, failed)
}

/** A campaign that was sent has messages to try again; of a suspended account it waits, as its others do. */
async function goOn(db: Db, workspaceId: string, campaignIds: string[]): Promise<void> {
  await sql`update campaigns c set state = case when ${isOpen('c.workspace_id')} then 'sending' else 'paused' end,
      state_text = case when ${isOpen('c.workspace_id')} then c.state_text else ${SUSPENDED} end, finished_at = null
    from campaign_counts n
    where n.workspace_id = c.workspace_id and n.campaign_id = c.id and n.deferred > 0 and c.state = 'sent' and c.workspace_id = ${workspaceId}
      and c.id = any(${campaignIds}::bigint[])`.execute(db)
}

/** What would stop every other message too: the means of payment, the account, the template. */
async function pauseStopped(db: Db, workspaceId: string, failed: SentMessage[]): Promise<void> {
  const stops = new Map<string, SentMessage & CodeMeaning>()
  for (const known of failed) {
    const meaning = findCodeMeaning(known.code ?? -1)
    if (meaning.action === 'pause' || meaning.action === 'stop' || meaning.action === 'reconnect')
      stops.set(known.campaignId, { ...known, ...meaning })
  }
  for (const [id, { text, code, ofTemplate, accountId }] of stops) {
    const words = `Paused: ${text} Nothing is lost. Resume it once that is fixed.`
    if (!ofTemplate) await pauseForNumber(db, workspaceId, accountId, words, code)
    await sql`update campaigns set state = 'paused', state_text = ${words},
      updated_at = now() where id = ${id} and workspace_id = ${workspaceId} and state = 'sending'`.execute(db)
  }
}

/** Meta says how long to wait of neither; people's blocks weigh for days. */
const REST_HOURS = new Map([
  [131048, 4],
  [131064, 4],
])

/**
 * Nothing may leave through a number any more, whatever the campaign: all that send through it are paused, and what Meta
 * limits for people's blocks rests for hours even when somebody resumes it at once.
 */
export async function pauseForNumber(
  db: Db,
  workspaceId: string,
  accountId: string,
  text: string,
  code: number | null,
): Promise<void> {
  const hours = REST_HOURS.get(code ?? -1)
  if (hours !== undefined) await restForHours(db, workspaceId, accountId, hours)
  await sql`update campaigns set state = 'paused', state_text = ${text}, updated_at = now()
    where workspace_id = ${workspaceId} and channel = 'whatsapp' and state = 'sending' and plan ->> 'accountId' = ${accountId}`.execute(
    db,
  )
}

/** A number two campaigns could not reach is written to no more: Meta counts such tries against the sender. */
async function barUnreachable(db: Db, workspaceId: string, failed: SentMessage[]): Promise<void> {
  const contacts = failed.filter(({ code }) => code === 131026).map(({ contactId }) => contactId)
  if (contacts.length === 0) return
  const { rows } = await sql<{ contactId: string }>`
    select m.contact_id from messages m join whatsapp_messages w on w.workspace_id = m.workspace_id and w.message_id = m.id
    where m.workspace_id = ${workspaceId} and m.contact_id = any(${contacts}::bigint[]) and w.error_code = 131026 and w.status = 'failed'
    group by m.contact_id having count(distinct m.campaign_id) >= 2`.execute(db)
  const note = 'Two campaigns could not be delivered: the number has no WhatsApp, or blocked yours.'
  await suppressBounced(
    db,
    workspaceId,
    'whatsapp',
    rows.map(({ contactId }) => ({ contactId, note })),
  )
}

/** Pauses what is being sent with templates that may not be sent any more. */
export async function pauseForTemplates(db: Db, workspaceId: string, businessAccountId: string): Promise<void> {
  await sql`
    update campaigns c set state = 'paused', updated_at = now(),
      state_text = 'Paused: Meta ' || case when t.status = 'PAUSED' then 'paused' when t.status = 'DISABLED' then 'disabled' when t.status = 'REJECTED' then 'rejected' else 'withdrew' end
        || ' the template “' || t.name || '”' || case when t.reason <> '' then ' (' || t.reason || ')' else '' end
        || case when t.status = 'PAUSED' then '. Resume when Meta has approved it again; nothing is lost.'
          else '. Nothing is lost, but with this template nothing more can be sent: cancel, and start a campaign with another one for those who are left.' end
    from whatsapp_templates t
    where c.workspace_id = ${workspaceId} and c.channel = 'whatsapp' and c.state = 'sending' and c.plan is not null
      and t.workspace_id = c.workspace_id and t.business_account_id = ${businessAccountId}
      and t.id = (c.plan ->> 'templateId')::bigint and t.status <> 'APPROVED'`.execute(db)
}
