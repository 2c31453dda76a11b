/**
 * A filter as a condition of SQL over the contact `c`. A condition over other tables is a set of ids that the planner joins:
 * asked contact by contact, 100,000 contacts would be 100,000 look-ups. Those of an `or` are therefore united as statements.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  ATTRIBUTE,
  type Condition,
  type ContactFilter,
  type ContactStatus,
  isGroup,
} from '#contracts/contacts/conditions.ts'
import { holding, startingWith } from '#server/platform/db/like.ts'
import { contactParts } from '../contact-parts.ts'
import { containing, isStatus } from '../matching.ts'
import { statusCandidates } from '../status.ts'
import { type Activity, type ActivityBounds, findActive, findClickers } from './activity.ts'
import { compareCustom } from './custom-fields.ts'
import { daysAgo, startOfDay } from './days.ts'

type Sql = RawBuilder<boolean>

/** A condition, and whether it reads the row of the contact only. */
interface Compiled {
  sql: Sql
  isOfRow: boolean
}

const ofRow = (condition: Sql): Compiled => ({ sql: condition, isOfRow: true })
const ofSet = (condition: Sql): Compiled => ({ sql: condition, isOfRow: false })

const isIn = (ids: RawBuilder<unknown>) => sql<boolean>`c.id in (${ids})`
const isNotIn = (ids: RawBuilder<unknown>) => sql<boolean>`not exists (select 1 from (${ids}) s (id) where s.id = c.id)`
const among = (ids: RawBuilder<unknown>, isAmong: boolean) => ofSet(isAmong ? isIn(ids) : isNotIn(ids))

/** What every condition of a filter is compiled with. */
export interface FilterScope {
  workspaceId: string
  now: Date
}

const contactsWhere = (workspaceId: string, condition: Sql) =>
  sql`select c.id from contacts c where c.workspace_id = ${workspaceId} and ${condition}`

function compareText(column: RawBuilder<unknown>, is: string, value: string): Sql {
  const text = sql`lower(coalesce(${column}, ''))`
  switch (is) {
    case 'equal':
      return sql`${text} = ${value.toLowerCase()}`
    case 'notEqual':
      return sql`${text} <> ${value.toLowerCase()}`
    case 'containing':
      return sql`${text} like ${holding(value)}`
    case 'notContaining':
      return sql`${text} not like ${holding(value)}`
    case 'startingWith':
      return sql`${text} like ${startingWith(value)}`
    case 'empty':
      return sql`${text} = ''`
    default:
      return sql`${text} <> ''`
  }
}

const isText = (is: string) =>
  ['equal', 'notEqual', 'containing', 'notContaining', 'startingWith', 'empty', 'notEmpty'].includes(is)

function compileStatus(workspaceId: string, status: ContactStatus, isEqual: boolean): Compiled {
  const candidates = statusCandidates(workspaceId, status)
  if (candidates)
    return among(
      sql`select c.id from (select distinct id from (${candidates}) maybe) maybe
      join contacts c on c.workspace_id = ${workspaceId} and c.id = maybe.id where ${isStatus(status)}`,
      isEqual,
    )
  // The usual status is everybody but those with another one, who are fewer.
  const others = (['pending', 'unsubscribed', 'bounced', 'suppressed'] as const).map(
    (other) => sql`select id from (${statusCandidates(workspaceId, other) ?? sql`select null::bigint as id`}) rare`,
  )
  return among(
    sql`select c.id from (select distinct id from (${sql.join(others, sql` union all `)}) maybe) maybe
      join contacts c on c.workspace_id = ${workspaceId} and c.id = maybe.id where not (${isStatus(status)})`,
    !isEqual,
  )
}

const isUnsuppressed = (channel: string, key: RawBuilder<unknown>) => sql<boolean>`not exists (
  select 1 from suppressions s where s.workspace_id = c.workspace_id and s.channel = ${channel} and s.address_key = ${key})`

function hasConsent(purpose?: string): Sql {
  const [condition] = contactParts().flatMap((part) => part.consented?.(purpose) ?? [])
  if (!condition) throw new Error('no feature records consents')
  return condition
}

function isReachable(channel: string): Sql {
  return channel === 'email'
    ? sql`c.email_key is not null and ${isUnsuppressed('email', sql`c.email_key`)}`
    : sql`(c.phone is not null or c.bsuid is not null) and ${isUnsuppressed('whatsapp', sql`c.phone`)}
      and ${isUnsuppressed('whatsapp', sql`c.bsuid`)} and ${hasConsent()}`
}

function compileActivity({ workspaceId, now }: FilterScope, { field, is, value }: Condition): Compiled {
  const bounds: ActivityBounds =
    is === 'inLast' || is === 'notInLast'
      ? { since: daysAgo(now, Number(value)) }
      : is === 'ofCampaign' || is === 'notOfCampaign'
        ? { campaignId: String(value) }
        : {}
  return among(findActive(workspaceId, field as Activity, bounds), ['ever', 'inLast', 'ofCampaign'].includes(is))
}

function compareCreated(now: Date, is: string, value: string | number | undefined): Sql {
  if (is === 'before') return sql`c.created_at < ${startOfDay(String(value))}`
  if (is === 'after') return sql`c.created_at >= ${daysAgo(startOfDay(String(value)), -1)}`
  const since = daysAgo(now, Number(value))
  return is === 'inLast' ? sql`c.created_at >= ${since}` : sql`c.created_at < ${since}`
}

function compileCondition(scope: FilterScope, condition: Condition): Compiled {
  const { workspaceId, now } = scope
  const { field, is, value } = condition
  const text = String(value ?? '')
  const isEqual = is === 'equal'
  if (field.startsWith(ATTRIBUTE)) {
    const column = sql`(c.attributes ->> ${field.slice(ATTRIBUTE.length)})`
    return ofRow(isText(is) ? compareText(column, is, text) : compareCustom(column, is, value ?? '', now))
  }
  switch (field) {
    case 'email':
    case 'phone':
    case 'name':
      return ofRow(compareText(sql.ref(`c.${field}`), is, text))
    case 'source':
      return ofRow(isEqual ? sql`c.source = ${text}` : sql`c.source <> ${text}`)
    case 'search':
      return ofRow(containing(text.trim()))
    case 'createdAt':
      return ofRow(compareCreated(now, is, value))
    case 'list':
      return among(
        sql`select contact_id from list_members
        where workspace_id = ${workspaceId} and list_id = ${text} and status <> 'unsubscribed'`,
        isEqual,
      )
    case 'tag':
      return among(
        sql`select contact_id from contact_tags where workspace_id = ${workspaceId} and tag_id = ${text}`,
        isEqual,
      )
    case 'status':
      return compileStatus(workspaceId, text as ContactStatus, isEqual)
    case 'clickedLink':
      return among(findClickers(workspaceId, text, is.endsWith('qual')), !is.startsWith('not'))
    case 'channel':
      return isEqual ? ofSet(isReachable(text)) : among(contactsWhere(workspaceId, isReachable(text)), false)
    case 'consent':
      return among(contactsWhere(workspaceId, hasConsent(text)), isEqual)
    default:
      return compileActivity(scope, condition)
  }
}

function compileGroup(scope: FilterScope, { op, items }: ContactFilter): Compiled {
  const compiled = items.map((item) => (isGroup(item) ? compileGroup(scope, item) : compileCondition(scope, item)))
  if (compiled.length === 0) return ofRow(sql`true`)
  const conditions = compiled.map(({ sql: condition }) => sql<boolean>`(${condition})`)
  const isOfRow = compiled.every((one) => one.isOfRow)
  if (op === 'and') return { sql: sql`${sql.join(conditions, sql` and `)}`, isOfRow }
  if (isOfRow) return ofRow(sql`(${sql.join(conditions, sql` or `)})`)
  if (conditions.length === 1 && conditions[0]) return ofSet(conditions[0])
  return ofSet(
    isIn(
      sql.join(
        conditions.map((one) => contactsWhere(scope.workspaceId, one)),
        sql` union all `,
      ),
    ),
  )
}

/** The condition of a filter that was checked, over the contact `c` of its workspace. */
export const compileFilter = (scope: FilterScope, filter: ContactFilter): Sql => compileGroup(scope, filter).sql
