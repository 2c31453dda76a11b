import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { emailKeys } from '../suppressions/email-keys.ts'
import type { FieldEdit } from './edits-store.ts'

/** An entry as it is stored; `micros` is its time in microseconds since 1970, which orders entries of one millisecond. */
export interface TimelineRow {
  key: string
  at: Date
  micros: string
  kind: string
  campaignId: string | null
  campaignName: string | null
  channel: string | null
  step: number | null
  state: string
  detail: string
  url: string | null
  isBot: boolean | null
  times: number
  ip: string | null
  userAgent: string | null
  changes: FieldEdit[] | null
  properties: Record<string, string | number | boolean | null> | null
  /** The id of the user who edited the contact. */
  editedBy: string | null
}

/** The parts of an entry that a source has; the others are empty. */
interface EntryParts {
  key: RawBuilder<unknown>
  at: RawBuilder<unknown>
  kind: RawBuilder<unknown>
  campaignId?: RawBuilder<unknown>
  state?: RawBuilder<unknown>
  detail?: RawBuilder<unknown>
  url?: RawBuilder<unknown>
  isBot?: RawBuilder<unknown>
  times?: RawBuilder<unknown>
  ip?: RawBuilder<unknown>
  userAgent?: RawBuilder<unknown>
  changes?: RawBuilder<unknown>
  properties?: RawBuilder<unknown>
  editedBy?: RawBuilder<unknown>
}

const entry = (parts: EntryParts) => sql`select ${parts.key} as key, ${parts.at} as at, ${parts.kind} as kind,
  (${parts.campaignId ?? sql`null`})::bigint as campaign_id, (${parts.state ?? sql`''`})::text as state,
  left((${parts.detail ?? sql`''`})::text, 500) as detail, (${parts.url ?? sql`null`})::text as url,
  (${parts.isBot ?? sql`null`})::boolean as is_bot, (${parts.times ?? sql`1`})::int as times,
  (${parts.ip ?? sql`null`})::text as ip, (${parts.userAgent ?? sql`null`})::text as user_agent,
  (${parts.changes ?? sql`null`})::jsonb as changes,
  (${parts.properties ?? sql`null`})::jsonb as properties, (${parts.editedBy ?? sql`null`})::bigint as edited_by`

const contactEntries = (workspaceId: string) => sql`
  ${entry({ key: sql`'added:'`, at: sql`who.created_at`, kind: sql`'added'`, state: sql`who.source` })} from who
  union all
  ${entry({ key: sql`'edited:'`, at: sql`who.updated_at`, kind: sql`'edited'` })} from who
    where who.updated_at > who.created_at + interval '1 second' and not exists (select 1 from contact_edits e
      where e.workspace_id = ${workspaceId} and e.contact_id = who.id and e.at >= who.updated_at)
    and not exists (select 1 from contact_merges g
      where g.workspace_id = ${workspaceId} and g.contact_id = who.id and g.at >= who.updated_at)
  union all
  ${entry({
    key: sql`'edit:' || e.id`,
    at: sql`e.at`,
    kind: sql`'edited'`,
    detail: sql`array_to_string(e.fields, ', ')`,
    changes: sql`nullif(e.changes, '[]')`,
    editedBy: sql`e.edited_by`,
  })} from who join contact_edits e on e.workspace_id = ${workspaceId} and e.contact_id = who.id
  union all
  ${entry({
    key: sql`'confirmed:' || k.id`,
    at: sql`k.confirmed_at`,
    kind: sql`'confirmed'`,
    state: sql`k.source`,
    detail: sql`(select string_agg(l.name, ', ' order by l.id) from lists l
      where l.workspace_id = ${workspaceId} and l.id = any(k.list_ids))`,
    ip: sql`k.confirmed_ip`,
    userAgent: sql`k.confirmed_user_agent`,
  })} from who join confirmations k on k.workspace_id = ${workspaceId} and k.contact_id = who.id
    where k.confirmed_at is not null and k.source <> 'preferences'
  union all
  ${entry({
    key: sql`'merged:' || g.id`,
    at: sql`g.at`,
    kind: sql`'merged'`,
    detail: sql`coalesce(g.other ->> 'email', g.other ->> 'phone', '')`,
  })} from who join contact_merges g on g.workspace_id = ${workspaceId} and g.contact_id = who.id
  union all
  ${entry({
    key: sql`'list:' || l.id`,
    at: sql`lm.at`,
    kind: sql`case when lm.status = 'confirmed' then 'list_joined' when lm.status = 'pending' then 'list_pending' else 'list_left' end`,
    detail: sql`l.name`,
  })} from who join list_members lm on lm.workspace_id = ${workspaceId} and lm.contact_id = who.id
    join lists l on l.workspace_id = ${workspaceId} and l.id = lm.list_id
  union all
  ${entry({
    key: sql`'tag:' || tc.id`,
    at: sql`tc.at`,
    kind: sql`'tagged'`,
    campaignId: sql`tc.campaign_id`,
    detail: sql`t.name`,
    url: sql`tc.url`,
  })} from who join tag_clicks tc on tc.workspace_id = ${workspaceId} and tc.contact_id = who.id
    join tags t on t.workspace_id = ${workspaceId} and t.id = tc.tag_id
  union all
  ${entry({
    key: sql`'tagged:' || ct.tag_id`,
    at: sql`ct.at`,
    kind: sql`'tagged'`,
    detail: sql`t.name`,
  })} from who join contact_tags ct on ct.workspace_id = ${workspaceId} and ct.contact_id = who.id and ct.at is not null
    join tags t on t.workspace_id = ${workspaceId} and t.id = ct.tag_id
    -- A click and an edit tell of it themselves.
    where not exists (select 1 from tag_clicks tc
      where tc.workspace_id = ${workspaceId} and tc.contact_id = who.id and tc.tag_id = ct.tag_id)
    and not exists (select 1 from contact_edits e
      where e.workspace_id = ${workspaceId} and e.contact_id = who.id and e.at = ct.at and 'tags' = any(e.fields))
  union all
  ${entry({
    key: sql`'suppressed:' || s.id`,
    at: sql`s.at`,
    kind: sql`'suppressed'`,
    campaignId: sql`s.campaign_id`,
    state: sql`s.reason`,
    detail: sql`s.note`,
  })} from who cross join lateral (
      select * from suppressions where workspace_id = ${workspaceId} and channel = 'email' and address_key in (${emailKeys(sql.ref('who.email_key'))})
      union all select * from suppressions where workspace_id = ${workspaceId} and channel = 'whatsapp' and address_key in (who.phone, who.bsuid)
    ) s
  union all
  ${entry({
    key: sql`'found:' || o.id`,
    at: sql`o.found_at`,
    kind: sql`'found'`,
    state: sql`coalesce(o.basis, '')`,
    detail: sql`o.evidence`,
    url: sql`o.source_url`,
  })} from who join contact_origins o on o.workspace_id = ${workspaceId} and o.contact_id = who.id
  union all
  ${entry({
    key: sql`'preference:' || p.id`,
    at: sql`p.at`,
    kind: sql`'preference'`,
    campaignId: sql`p.campaign_id`,
    state: sql`p.kind`,
    detail: sql`p.detail`,
    ip: sql`p.ip`,
    userAgent: sql`p.user_agent`,
  })} from who join preference_changes p on p.workspace_id = ${workspaceId} and p.contact_id = who.id
  union all
  ${entry({
    key: sql`'consent:' || w.id`,
    at: sql`w.given_at`,
    kind: sql`'consent'`,
    state: sql`w.how`,
    detail: sql`w.purpose`,
  })} from who join whatsapp_consents w on w.workspace_id = ${workspaceId} and w.contact_id = who.id`

/** What contacts did elsewhere, and the journeys they went through. */
const eventEntries = (workspaceId: string) => sql`
  ${entry({
    key: sql`'custom:' || v.id`,
    at: sql`v.at`,
    kind: sql`'custom_event'`,
    detail: sql`v.name`,
    properties: sql`v.properties`,
  })} from who join contact_events v on v.workspace_id = ${workspaceId} and v.contact_id = who.id
  union all
  ${entry({
    key: sql`y.key || p.id`,
    at: sql`y.at`,
    kind: sql`y.kind`,
    state: sql`y.state`,
    detail: sql`j.name`,
  })} from who join journey_people p on p.workspace_id = ${workspaceId} and p.contact_id = who.id
    join journeys j on j.workspace_id = ${workspaceId} and j.id = p.journey_id
    cross join lateral (values ('entered:', p.entered_at, 'journey_entered', ''), ('left:', p.ended_at, 'journey_left', p.state))
      y (key, at, kind, state)
    where y.at is not null`

const messageEntries = (workspaceId: string) => sql`
  ${entry({
    key: sql`'message:' || m.id`,
    at: sql`coalesce(m.sent_at, m.first_attempt_at, m.queued_at)`,
    kind: sql`'message'`,
    campaignId: sql`m.campaign_id`,
    state: sql`coalesce(w.status, m.state)`,
    detail: sql`case when m.state in ('failed', 'bounced', 'deferred') then m.response when m.state = 'suppressed' then m.reason else '' end`,
  })} from sent m left join whatsapp_messages w on w.workspace_id = ${workspaceId} and w.message_id = m.id
  union all
  ${entry({
    key: sql`'event:' || e.id`,
    at: sql`e.at`,
    kind: sql`e.kind`,
    campaignId: sql`e.campaign_id`,
    url: sql`l.url`,
    isBot: sql`e.class = 'machine'`,
    times: sql`e.times`,
  })} from sent m join events e on e.message_id = m.id and e.workspace_id = ${workspaceId}
    left join campaign_links l on l.workspace_id = ${workspaceId} and l.campaign_id = e.campaign_id and l.link = e.link
  union all
  ${entry({
    key: sql`case when g.kind = 'reply' then 'reply:' else 'bounce:' end || m.id`,
    at: sql`g.at`,
    kind: sql`g.kind`,
    campaignId: sql`m.campaign_id`,
    detail: sql`g.text`,
  })} from sent m join gmail_messages gm on gm.workspace_id = ${workspaceId} and gm.message_id = m.id
    cross join lateral (values ('reply', gm.replied_at, ''), ('bounce', gm.bounced_at, gm.bounce_text)) g (kind, at, text)
    where g.at is not null
  union all
  ${entry({
    key: sql`'whatsapp:' || x.id`,
    at: sql`x.at`,
    kind: sql`'whatsapp_' || x.direction`,
    state: sql`x.status`,
    detail: sql`x.text`,
  })} from who join whatsapp_conversations v on v.workspace_id = ${workspaceId}
      and (v.contact_id = who.id or v.contact_id is null and (v.phone = who.phone or v.bsuid = who.bsuid))
    join whatsapp_messages x on x.conversation_id = v.id and x.workspace_id = ${workspaceId}
    where x.direction in ('in', 'out') and x.message_id is null`

/**
 * What happened with a contact, newest first, after the place where the page before ended. A message is looked up campaign
 * by campaign, in the unique index of recipients: however many messages the workspace has, a contact has few.
 */
export async function timelinePage(
  db: Db,
  workspaceId: string,
  contactId: string,
  page: { limit: number; after?: readonly [micros: string, key: string] },
): Promise<TimelineRow[]> {
  const { rows } = await sql<TimelineRow>`
    with who as materialized (select * from contacts where workspace_id = ${workspaceId} and id = ${contactId}),
    sent as materialized (
      select m.* from campaigns k cross join lateral (
        select * from messages where workspace_id = ${workspaceId} and campaign_id = k.id and contact_id = ${contactId} limit 1
      ) m where k.workspace_id = ${workspaceId}
    ), entries as (select t.*, (extract(epoch from t.at) * 1000000)::bigint as micros from (${contactEntries(workspaceId)} union all ${eventEntries(workspaceId)}
        union all ${messageEntries(workspaceId)}) t),
    page as (
      select * from entries
      where ${page.after ? sql`(micros, key collate "C") < (${page.after[0]}::bigint, ${page.after[1]}::text)` : sql`true`}
      order by micros desc, key collate "C" desc limit ${page.limit}
    )
    select page.key, page.at, page.micros::text as micros, page.kind, page.state, page.detail, page.url, page.is_bot, page.times, page.ip, page.user_agent, page.changes, page.properties, page.edited_by::text as edited_by,
      case when coalesce(p.deleted_at, k.deleted_at) is null then coalesce(k.parent_id, k.id)::text end as campaign_id,
      coalesce(p.name, k.name) as campaign_name, k.channel, k.step
    from page left join campaigns k on k.workspace_id = ${workspaceId} and k.id = page.campaign_id
    left join campaigns p on p.workspace_id = ${workspaceId} and p.id = k.parent_id
    order by page.micros desc, page.key collate "C" desc`.execute(db)
  return rows
}

/** What users of a workspace are called, by their ids: their name, or else their email address. */
export async function nameUsers(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select(['id', 'name', 'email'])
    .execute()
  return new Map(rows.map(({ id, name, email }) => [id, name || email]))
}

/** The names of lists or tags, in the order of the alphabet. */
export async function listNames(
  db: Db,
  workspaceId: string,
  table: 'lists' | 'tags',
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom(table)
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
