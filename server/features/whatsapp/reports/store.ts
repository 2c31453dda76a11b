import { sql } from 'kysely'
import type { DeliveryCounts } from '#contracts/whatsapp/rates.ts'
import type { Db } from '#server/platform/db/database.ts'
import { selectRows } from '#server/platform/db/select-rows.ts'
import { deliveredAt, deliveryColumns, hasFailed, isOptOutAfterIt, repliesToIt } from './counting.ts'

/** Whose messages, from when until when. */
export interface ReportRange {
  workspaceId: string
  accountId: string | undefined
  campaignId: string | undefined
  template: string | undefined
  since: Date
  until: Date
  step: 'hour' | 'day'
  /** IANA; days begin at its midnight. */
  timeZone: string
}

type ReportChoice = Pick<ReportRange, 'accountId' | 'campaignId' | 'template'>

const chosen = ({ accountId, campaignId, template }: ReportChoice) => sql`
  ${accountId ? sql`and m.account_id = ${accountId}` : sql``}
  ${campaignId ? sql`and m.campaign_id = ${campaignId}` : sql``}
  ${template ? sql`and m.template_name = ${template}` : sql``}`

const within = ({
  workspaceId,
  since,
  until,
  ...choice
}: Pick<ReportRange, 'workspaceId' | 'since' | 'until'> & ReportChoice) => sql`m.workspace_id = ${workspaceId}
  and m.at >= ${since} and m.at < ${until} ${chosen(choice)}`

const replied = (workspaceId: string) =>
  sql`count(distinct m.person) filter (where m.direction = 'out' and m.kind = 'template'
    and exists (select 1 from ${repliesToIt(workspaceId)}))::int as replied`

type Figures = Omit<DeliveryCounts, 'replied'> & { sent: number }

export async function totals(db: Db, range: ReportRange) {
  const [row] = await selectRows(
    db,
    sql<
      Figures & { waiting: number; received: number; replied: number }
    >`select ${deliveryColumns}, ${replied(range.workspaceId)},
      count(*) filter (where m.direction = 'out' and m.status in ('queued', 'unconfirmed', 'accepted', 'sent'))::int as waiting,
      count(*) filter (where m.direction = 'in')::int as received
    from whatsapp_messages m where ${within(range)}`,
  )
  return row ?? { tried: 0, sent: 0, delivered: 0, read: 0, failed: 0, waiting: 0, received: 0, replied: 0 }
}

const findStepZone = ({ step, timeZone }: Pick<ReportRange, 'step' | 'timeZone'>) => (step === 'day' ? timeZone : 'UTC')

/** The beginnings of all steps of a range: hours of the clock in UTC, days from midnight to midnight where they are asked for. */
export async function steps(db: Db, range: ReportRange): Promise<Date[]> {
  const { since, until, step } = range
  const zone = findStepZone(range)
  const rows = await selectRows(
    db,
    sql<{ at: Date }>`select wall at time zone ${zone} as at from generate_series(
      date_trunc(${step}, ${since}::timestamptz at time zone ${zone}), ${until}::timestamptz at time zone ${zone}, ${`1 ${step}`}::interval) as wall
      where wall at time zone ${zone} < ${until}::timestamptz order by wall`,
  )
  return rows.map(({ at }) => at)
}

/** By hour or day; steps without anything are skipped. */
export function timeline(db: Db, range: ReportRange) {
  return selectRows(
    db,
    sql<
      Figures & { at: Date; received: number }
    >`select date_trunc(${range.step}, m.at, ${findStepZone(range)}) as at, ${deliveryColumns},
      count(*) filter (where m.direction = 'in')::int as received
    from whatsapp_messages m where ${within(range)} group by 1 order by 1`,
  )
}

/** Whether the suppression `s` is of the scoped id of a person whose number is suppressed too: they stopped once. */
const isTwin = (workspaceId: string) => sql<boolean>`(s.address_key not like '+%' and exists (
  select 1 from whatsapp_conversations v join suppressions n on n.workspace_id = v.workspace_id and n.channel = 'whatsapp'
    and n.reason = 'unsubscribe' and n.address_key = v.phone
  where v.workspace_id = ${workspaceId} and v.bsuid = s.address_key))`

/**
 * People who stopped, by hour or day. Of one number only those who had a message of it, and of a campaign or template those who stopped
 * within 72 hours of one.
 */
export function optOuts(db: Db, range: ReportRange) {
  const { workspaceId, since, until, ...choice } = range
  const isAll = !choice.accountId && !choice.campaignId && !choice.template
  const isOfNumber = !choice.campaignId && !choice.template
  return selectRows(
    db,
    sql<{
      at: Date
      people: number
    }>`select date_trunc(${range.step}, s.at, ${findStepZone(range)}) as at, count(*)::int as people from suppressions s
      where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp' and s.reason = 'unsubscribe' and s.at >= ${since} and s.at < ${until}
        ${isAll ? sql`and not ${isTwin(workspaceId)}` : sql`and exists (select 1 from whatsapp_messages m where m.workspace_id = ${workspaceId} and s.address_key in ('+' || m.person, m.person) ${isOfNumber ? sql`` : sql`and m.direction = 'out' and ${isOptOutAfterIt}`} ${chosen(choice)})`}
      group by 1 order by 1`,
  )
}

export function failures(db: Db, range: ReportRange) {
  return selectRows(
    db,
    sql<{ code: number | null; messages: number }>`select m.error_code as code, count(*)::int as messages
      from whatsapp_messages m where ${within(range)} and ${hasFailed}
      group by 1 order by 2 desc limit 50`,
  )
}

export interface Billed {
  name: string | null
  category: string | null
  country: string | null
  messages: number
}

/** Messages Meta charges for, by campaign or template, category and country. */
export function billed(db: Db, range: ReportRange, by: 'campaign_id' | 'template_name' | null) {
  const name = by === null ? sql`null::text` : sql`${sql.ref(`m.${by}`)}::text`
  return selectRows(
    db,
    sql<Billed>`select ${name} as name, m.category, m.country, count(*)::int as messages from whatsapp_messages m
      where ${within(range)} and m.direction = 'out' and m.billable and ${deliveredAt} is not null
      group by 1, 2, 3`,
  )
}

export function byCampaign(db: Db, range: ReportRange) {
  return selectRows(
    db,
    sql<
      Figures & { id: string; name: string; replied: number }
    >`select c.id, c.name, ${deliveryColumns}, ${replied(range.workspaceId)}
      from whatsapp_messages m join campaigns c on c.id = m.campaign_id and c.workspace_id = m.workspace_id
      where ${within(range)} group by c.id, c.name order by c.id desc limit 100`,
  )
}

export function byTemplate(db: Db, range: ReportRange) {
  return selectRows(
    db,
    sql<Figures & { name: string }>`select m.template_name as name, ${deliveryColumns} from whatsapp_messages m
      where ${within(range)} and m.template_name is not null group by 1 order by sent desc limit 100`,
  )
}
