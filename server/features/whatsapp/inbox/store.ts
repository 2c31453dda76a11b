import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import { timeNow } from '#server/platform/db/spread.ts'
import { hasConsent } from '../consents/consents.ts'
import { isOwnWord } from '../people.ts'

export interface ConversationRow {
  id: string
  workspaceId: string
  accountId: string
  contactId: string | null
  waId: string | null
  bsuid: string | null
  phone: string | null
  name: string
  state: 'open' | 'closed'
  assignedTo: string | null
  assigneeName: string | null
  unread: number
  preview: string
  lastInAt: Date | null
  windowEndsAt: Date | null
  lastAt: Date
  heldUntil: Date | null
  flow: unknown
  changedAt: Date
  optedOut: boolean
  suppressed: boolean
  hasConsent: boolean
}

const suppressions = (workspaceId: string) => sql`select from suppressions s
    where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp' and s.address_key in (v.phone, v.bsuid)`

// By the clock of the database, which all processes share.
const shown = (workspaceId: string) => sql`
  v.id, v.workspace_id, v.account_id, c.id as contact_id, v.wa_id, v.bsuid, v.phone, v.state, v.assigned_to, u.name as assignee_name,
  v.unread, v.preview, v.last_in_at, v.last_at, v.flow, v.changed_at,
  coalesce(nullif(c.name, ''), nullif(v.profile_name, ''), v.phone, 'Somebody') as name,
  case when v.last_in_at > now() - interval '24 hours' then v.last_in_at + interval '24 hours' end as window_ends_at,
  case when v.held_until > now() then v.held_until end as held_until,
  exists (${suppressions(workspaceId)} and ${isOwnWord('s.reason')}) as opted_out,
  exists (${suppressions(workspaceId)} and not ${isOwnWord('s.reason')}) as suppressed,
  coalesce(${hasConsent(workspaceId)}, false) as has_consent`
// A contact made after the first word, by an import perhaps, is the person's all the same.
const joined = (workspaceId: string) => sql`
  left join contacts c on c.workspace_id = ${workspaceId} and c.id = coalesce(v.contact_id, (
    select p.id from contacts p where p.workspace_id = ${workspaceId} and (p.phone = v.phone or p.bsuid = v.bsuid)
    order by (p.bsuid = v.bsuid) desc nulls last, p.email_key desc nulls first limit 1))
  left join users u on u.id = v.assigned_to and u.workspace_id = v.workspace_id`

export async function conversationById(db: Db, workspaceId: string, id: string): Promise<ConversationRow | undefined> {
  const { rows } =
    await sql<ConversationRow>`select ${shown(workspaceId)} from whatsapp_conversations v ${joined(workspaceId)}
    where v.workspace_id = ${workspaceId} and v.id = ${id}`.execute(db)
  return rows[0]
}

interface ConversationPageQuery {
  limit: number
  before?: { at: string; id: string } | undefined
  accountId?: string | undefined
  state?: string | undefined
  assigned?: { to: string | null } | undefined
  unread?: boolean | undefined
  q?: string | undefined
}

/** Shorter words are not looked for in messages. */
const LEAST_WORDS = 3
/** How many messages of a workspace a search goes through, newest first. */
const SEARCHED_MESSAGES = 50_000

/** The conversations in whose latest messages a text stands. */
const heldIn = (workspaceId: string, q: string) => sql`select conversation_id from (
    select conversation_id, text from whatsapp_messages where workspace_id = ${workspaceId} and conversation_id is not null
    order by at desc limit ${SEARCHED_MESSAGES}) latest where lower(text) like ${holding(q)}`

/** Conversations, the newest word first; `before` is the place of the last one of the page before. */
export async function conversationPage(
  db: Db,
  workspaceId: string,
  page: ConversationPageQuery,
): Promise<(ConversationRow & { place: string })[]> {
  const { before, accountId, state, assigned, q } = page
  const digits = q?.replaceAll(/[\s()+./-]/g, '') ?? ''
  const search = q
    ? sql`and (lower(c.name) like ${holding(q)} or lower(v.profile_name) like ${holding(q)} or lower(v.preview) like ${holding(q)}
        ${q.trim().length >= LEAST_WORDS ? sql`or v.id in (${heldIn(workspaceId, q)})` : sql``}
        ${/^\d{3,}$/.test(digits) ? sql`or v.phone like ${`%${digits}%`}` : sql``})`
    : sql``
  const { rows } = await sql<
    ConversationRow & { place: string }
  >`select ${shown(workspaceId)}, v.last_at::text as place from whatsapp_conversations v ${joined(workspaceId)}
    where v.workspace_id = ${workspaceId}
      ${before ? sql`and (v.last_at, v.id) < (${before.at}::timestamptz, ${before.id}::bigint)` : sql``}
      ${accountId ? sql`and v.account_id = ${accountId}` : sql``}
      ${state ? sql`and v.state = ${state}` : sql``}
      ${assigned ? sql`and v.assigned_to is not distinct from ${assigned.to}::bigint` : sql``}
      ${page.unread ? sql`and v.unread > 0` : sql``} ${search}
    order by v.last_at desc, v.id desc limit ${page.limit}`.execute(db)
  return rows
}

/** How many conversations are read at once. */
export const CHANGES_AT_ONCE = 100
/** A change is seen when its transaction ends, and one may have begun so long before another that ended first. */
export const LOOK_BACK_SECONDS = 5

/** A conversation with the moment of its change, as text because PostgreSQL's times are finer than JavaScript's, and in seconds. */
export interface ChangedConversation extends ConversationRow {
  place: string
  seconds: number
  /** Where to go on: the later of the change and of what was asked for. */
  newest: string
}

/** Conversations changed after a moment or shortly before it, but for those whose change was `told` already (id to place). */
export async function changedSince(
  db: Db,
  workspaceId: string,
  since: string,
  told: ReadonlyMap<string, { place: string }>,
): Promise<ChangedConversation[]> {
  const places = [...told.values()].map(({ place }) => place)
  const { rows } = await sql<ChangedConversation>`
    select ${shown(workspaceId)}, v.changed_at::text as place, extract(epoch from v.changed_at)::float8 as seconds,
      greatest(v.changed_at, ${since}::timestamptz)::text as newest
    from whatsapp_conversations v ${joined(workspaceId)}
    where v.workspace_id = ${workspaceId} and v.changed_at > ${since}::timestamptz - make_interval(secs => ${LOOK_BACK_SECONDS})
      and not exists (select 1 from unnest(${[...told.keys()]}::bigint[], ${places}::timestamptz[]) as told (id, at)
        where told.id = v.id and told.at = v.changed_at)
    order by v.changed_at limit ${CHANGES_AT_ONCE}`.execute(db)
  return rows
}

/** Now, by the clock of the database. */
export async function readNow(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(db)
  return rows[0]?.now ?? 'now'
}

export interface MessageRow {
  id: string
  accountId: string
  conversationId: string | null
  direction: 'in' | 'out' | 'note'
  kind: string
  wamid: string | null
  text: string
  content: { media?: { id: string; mimeType: string; fileName: string }; buttons?: string[] }
  status: string
  errorCode: number | null
  errorText: string
  authorId: string | null
  authorName: string | null
  automationName: string | null
  automationId: string | null
  campaignId: string | null
  templateName: string | null
  at: Date
  sentAt: Date | null
  deliveredAt: Date | null
  readAt: Date | null
  place: string
}

const message = sql`m.id, m.account_id, m.conversation_id, m.direction, m.kind, m.wamid, m.text, m.content, m.status, m.error_code,
  m.error_text, m.author_id, u.name as author_name, a.name as automation_name, m.automation_id, m.campaign_id, m.template_name,
  m.at, m.sent_at, m.delivered_at, m.read_at, m.at::text as place`
const messageJoins = sql`left join users u on u.id = m.author_id and u.workspace_id = m.workspace_id
  left join whatsapp_automations a on a.id = m.automation_id and a.workspace_id = m.workspace_id`

/** What was said in a conversation, newest first. */
export async function messagePage(
  db: Db,
  workspaceId: string,
  conversationId: string,
  page: { limit: number; before?: { at: string; id: string } | undefined },
): Promise<MessageRow[]> {
  const { before } = page
  const { rows } = await sql<MessageRow>`select ${message} from whatsapp_messages m ${messageJoins}
    where m.workspace_id = ${workspaceId} and m.conversation_id = ${conversationId}
      ${before ? sql`and (m.at, m.id) < (${before.at}::timestamptz, ${before.id}::bigint)` : sql``}
    order by m.at desc, m.id desc limit ${page.limit}`.execute(db)
  return rows
}

export async function messageById(
  db: Db,
  workspaceId: string,
  conversationId: string,
  id: string,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`select ${message} from whatsapp_messages m ${messageJoins}
    where m.workspace_id = ${workspaceId} and m.conversation_id = ${conversationId} and m.id = ${id}`.execute(db)
  return rows[0]
}

export interface ConversationChange {
  state?: 'open' | 'closed'
  assignedTo?: string | null
  read?: true
  held?: boolean
}

export async function changeConversation(
  db: Db,
  workspaceId: string,
  id: string,
  change: ConversationChange,
): Promise<void> {
  const { state, assignedTo, read, held } = change
  await sql`update whatsapp_conversations set changed_at = ${timeNow()}
      ${state === undefined ? sql`` : sql`, state = ${state}`}
      ${assignedTo === undefined ? sql`` : sql`, assigned_to = ${assignedTo}::bigint`}
      ${read ? sql`, unread = 0` : sql``}
      ${held === undefined ? sql`` : held ? sql`, held_until = now() + interval '24 hours', flow = jsonb_set(flow, '{flow}', 'null')` : sql`, held_until = null`}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/** A note among ourselves; the person never sees it. */
export async function insertNote(db: Db, row: ConversationRow, text: string, authorId: string | null): Promise<string> {
  const { id } = await db
    .insertInto('whatsappMessages')
    .values({
      workspaceId: row.workspaceId,
      accountId: row.accountId,
      conversationId: row.id,
      direction: 'note',
      kind: 'note',
      text,
      status: 'note',
      authorId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`update whatsapp_conversations set changed_at = ${timeNow()} where workspace_id = ${row.workspaceId} and id = ${row.id}`.execute(
    db,
  )
  return id
}

/** The conversation with a contact by their number, or by their scoped id where they have none; made where there is none yet. */
export async function openConversation(
  db: Db,
  workspaceId: string,
  accountId: string,
  contact: { id: string; phone: string | null; bsuid: string | null },
): Promise<string> {
  const waId = contact.phone?.slice(1) ?? null
  const bsuid = waId === null ? contact.bsuid : null
  const key =
    waId === null
      ? sql`(workspace_id, account_id, bsuid) where bsuid`
      : sql`(workspace_id, account_id, wa_id) where wa_id`
  const { rows } = await sql<{ id: string }>`
    insert into whatsapp_conversations (workspace_id, account_id, contact_id, wa_id, bsuid, phone)
    values (${workspaceId}, ${accountId}, ${contact.id}, ${waId}, ${bsuid}, ${contact.phone})
    on conflict ${key} is not null do update set contact_id = coalesce(whatsapp_conversations.contact_id, excluded.contact_id), state = 'open'
    returning id`.execute(db)
  const id = rows[0]?.id ?? ''
  await sql`update whatsapp_messages set conversation_id = ${id}
    where workspace_id = ${workspaceId} and account_id = ${accountId} and person = ${waId ?? bsuid} and conversation_id is null`.execute(
    db,
  )
  return id
}

/** The people of a workspace a conversation can be given to. */
export function listAssignees(db: Db, workspaceId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .select(['id', 'name'])
    .orderBy('name')
    .limit(200)
    .execute()
}
