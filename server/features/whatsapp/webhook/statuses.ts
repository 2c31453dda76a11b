import { sql } from 'kysely'
import { findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AccountRow } from '../numbers/store.ts'
import type { MergedStatus } from './events.ts'

/** A message whose row a status moved. */
export interface Moved {
  id: string
  conversationId: string | null
  campaignId: string | null
  messageId: string | null
  status: string
  errorCode: number | null
  person: string
}

// Ids are said twice: as a list they lead the planner to the index, where a join alone would read the whole table.
// Both sides of the comparison are read from the row as it is when it is written: of two workers neither sets it back.
const ORDER = sql`array['queued','unconfirmed','accepted','sent','failed','delivered','read']`
const further = sql`case when array_position(${ORDER}, said.status) > array_position(${ORDER}, m.status) then said.status else m.status end`

const MAX_BIGINT = 2n ** 63n - 1n
/** What comes back may be anything: an id that is no bigint would fail the whole batch. */
const isId = (text: string) => /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MAX_BIGINT

/**
 * Writes what statuses say, forward only: times are the earliest said, the state is the furthest. A message whose answer
 * was lost is found by our own id, which Meta sends back. Returns the rows that changed.
 */
export async function writeStatuses(db: Db, account: AccountRow, statuses: MergedStatus[]): Promise<Moved[]> {
  if (statuses.length === 0) return []
  const column = <K extends keyof MergedStatus>(key: K) => statuses.map((one) => one[key])
  const ours = statuses.map(({ callback }) => (isId(callback) ? callback : null))
  const words = statuses.map(({ code, details }) =>
    code === null ? '' : `${findCodeMeaning(code).text}${details ? ` Meta says: ${details}` : ''}`,
  )
  const { rows } = await sql<Moved>`
    with said as materialized (
      select * from unnest(${column('wamid')}::text[], ${ours}::bigint[], ${column('status')}::text[], ${column('person')}::text[],
        ${column('code')}::int[], ${words}::text[], ${column('billable')}::boolean[], ${column('category')}::text[],
        ${column('sentAt')}::timestamptz[], ${column('deliveredAt')}::timestamptz[], ${column('readAt')}::timestamptz[], ${column('failedAt')}::timestamptz[])
        as said (wamid, own_id, status, person, code, words, billable, category, sent_at, delivered_at, read_at, failed_at)
    ), found as materialized (
      select distinct on (message_row) * from (
        select m.id as message_row, said.* from said join whatsapp_messages m on m.wamid = said.wamid
          where m.account_id = ${account.id} and m.wamid = any(${column('wamid')}::text[]) and m.workspace_id = ${account.workspaceId} and m.direction = 'out'
        union all
        select m.id, said.* from said join whatsapp_messages m on m.id = said.own_id
          where m.id = any(${ours.filter((id) => id !== null)}::bigint[]) and m.wamid is null
            and m.account_id = ${account.id} and m.workspace_id = ${account.workspaceId} and m.direction = 'out'
      ) either order by message_row
    )
    update whatsapp_messages m set
      wamid = coalesce(m.wamid, said.wamid),
      person = coalesce(nullif(m.person, ''), said.person),
      status = ${further},
      error_code = case when ${further} = 'failed' then coalesce(said.code, m.error_code) end,
      error_text = case when ${further} = 'failed' then coalesce(nullif(said.words, ''), m.error_text) else '' end,
      billable = coalesce(said.billable, m.billable),
      category = coalesce(said.category, m.category),
      sent_at = least(m.sent_at, said.sent_at),
      delivered_at = least(m.delivered_at, said.delivered_at),
      read_at = least(m.read_at, said.read_at),
      failed_at = least(m.failed_at, said.failed_at)
    from found said
    where m.id = said.message_row
    returning m.id, m.conversation_id, m.campaign_id, m.message_id, m.status, m.error_code, m.person`.execute(db)
  return rows
}
