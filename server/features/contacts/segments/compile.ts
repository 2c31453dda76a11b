/**
 * A filter as a condition of SQL over the contact `c`: one walk over the contacts of the workspace, whatever the shape of the
 * filter. What it asks of other tables is a set that is found once and asked by its hash.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  ATTRIBUTE,
  type Condition,
  type ContactFilter,
  type ContactStatus,
  EVENT,
  isGroup,
} from '#contracts/contacts/conditions.ts'
import { holding, startingWith } from '#server/platform/db/like.ts'
import { contactParts } from '../contact-parts.ts'
import { containing, isStatus } from '../matching.ts'
import { isDomainSuppressed } from '../suppressions/email-keys.ts'
import { type Activity, type ActivityBounds, findActive, findClickers, findWithEvent, isUntracked } from './activity.ts'
import { compareCustom } from './custom-fields.ts'
import { daysAgo, startOfDay } from './days.ts'
import { type ContactRange, isAmong, isContactAmong } from './sets.ts'

type Sql = RawBuilder<boolean>

/** What every condition of a filter is compiled with. */
export interface FilterScope {
  workspaceId: string
  now: Date
  /** The contacts it is asked of; missing: all. */
  within?: ContactRange | undefined
}

const not = (condition: Sql) => sql<boolean>`not (${condition})`
const suppressed = (workspaceId: string, channel: string) =>
  sql`select address_key from suppressions where workspace_id = ${workspaceId} and channel = ${channel}`

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

const isEmailSuppressed = (workspaceId: string) =>
  sql<boolean>`(${isAmong(sql.ref('c.email_key'), suppressed(workspaceId, 'email'))}
    or ${isDomainSuppressed(workspaceId, sql.ref('c.email_key'))})`

/** Whether a contact may have a status other than the usual one: something is known of its address, or of a list it is in. */
function mayStandOut({ workspaceId, within }: FilterScope): Sql {
  const members = sql`select contact_id from list_members where workspace_id = ${workspaceId} and status <> 'confirmed'`
  return sql`${isEmailSuppressed(workspaceId)} or ${isContactAmong(members, within)}
    or ${isAmong(sql.ref('c.phone'), suppressed(workspaceId, 'whatsapp'))} or ${isAmong(sql.ref('c.bsuid'), suppressed(workspaceId, 'whatsapp'))}`
}

/** The status is worked out for those contacts alone that may have another one than the usual. */
const hasStatus = (scope: FilterScope, status: ContactStatus): Sql =>
  sql`case when ${mayStandOut(scope)} then ${isStatus(scope.workspaceId, status)} else ${sql.lit(status === 'subscribed')} end`

function hasConsent(workspaceId: string, purpose?: string): Sql {
  const [condition] = contactParts().flatMap((part) => part.consented?.(workspaceId, purpose) ?? [])
  if (!condition) throw new Error('no feature records consents')
  return sql`(${condition}) is true`
}

function isReachable(workspaceId: string, channel: string): Sql {
  const isSuppressed = (column: string) => isAmong(sql.ref(column), suppressed(workspaceId, channel))
  return channel === 'email'
    ? sql`(c.email_key is not null and not ${isEmailSuppressed(workspaceId)})`
    : sql`((c.phone is not null or c.bsuid is not null) and not ${isSuppressed('c.phone')} and not ${isSuppressed('c.bsuid')}
      and ${hasConsent(workspaceId)})`
}

function compileActivity({ workspaceId, now, within }: FilterScope, { field, is, value }: Condition): Sql {
  const bounds: ActivityBounds =
    is === 'inLast' || is === 'notInLast'
      ? { since: daysAgo(now, Number(value)) }
      : is === 'ofCampaign' || is === 'notOfCampaign'
        ? { campaignId: String(value) }
        : {}
  const found = field.startsWith(EVENT)
    ? findWithEvent(workspaceId, field.slice(EVENT.length), bounds.since)
    : findActive(workspaceId, field as Activity, bounds)
  const did = isContactAmong(found, within)
  if (['ever', 'inLast', 'ofCampaign'].includes(is)) return did
  // Of a campaign whose openers nobody knows, nobody is known not to have opened it.
  if (bounds.campaignId !== undefined && (field === 'opened' || field === 'clicked'))
    return sql`(${not(did)} and not ${isUntracked(workspaceId, field, bounds.campaignId)})`
  return not(did)
}

function compareMoment(column: RawBuilder<unknown>, now: Date, is: string, value: string | number | undefined): Sql {
  if (is === 'before') return sql`${column} < ${startOfDay(String(value))}`
  if (is === 'after') return sql`${column} >= ${daysAgo(startOfDay(String(value)), -1)}`
  const since = daysAgo(now, Number(value))
  return is === 'inLast' ? sql`${column} >= ${since}` : sql`${column} < ${since}`
}

/** Whether a contact joined one of its lists at such a time; `notInLast` is also true of who is on no list. */
function hasJoined({ workspaceId, now, within }: FilterScope, { is, value }: Condition): Sql {
  const when = compareMoment(sql.ref('at'), now, is === 'notInLast' ? 'inLast' : is, value)
  const members = sql`select contact_id from list_members where workspace_id = ${workspaceId} and status = 'confirmed' and ${when}`
  const joined = isContactAmong(members, within)
  return is === 'notInLast' ? not(joined) : joined
}

/** Conditions that are either equal or not. */
function compileEqual(scope: FilterScope, field: string, text: string): Sql {
  const { workspaceId, within } = scope
  switch (field) {
    case 'source':
      return sql`c.source = ${text}`
    case 'list':
      return isContactAmong(
        sql`select contact_id from list_members where workspace_id = ${workspaceId} and list_id = ${text} and status <> 'unsubscribed'`,
        within,
      )
    case 'tag':
      return isContactAmong(
        sql`select contact_id from contact_tags where workspace_id = ${workspaceId} and tag_id = ${text}`,
        within,
      )
    case 'status':
      return hasStatus(scope, text as ContactStatus)
    case 'channel':
      return isReachable(workspaceId, text)
    case 'consent':
      return hasConsent(workspaceId, text)
    default:
      throw new Error(`no condition ${field}`)
  }
}

function compileCondition(scope: FilterScope, condition: Condition): Sql {
  const { workspaceId, now, within } = scope
  const { field, is, value } = condition
  const text = String(value ?? '')
  if (field.startsWith(ATTRIBUTE)) {
    const column = sql`(c.attributes ->> ${field.slice(ATTRIBUTE.length)})`
    return isText(is) ? compareText(column, is, text) : compareCustom(column, is, value ?? '', now)
  }
  if (field.startsWith(EVENT)) return compileActivity(scope, condition)
  switch (field) {
    case 'email':
    case 'phone':
    case 'name':
      return compareText(sql.ref(`c.${field}`), is, text)
    case 'search':
      return containing(text.trim())
    case 'createdAt':
      return compareMoment(sql.ref('c.created_at'), now, is, value)
    case 'joinedAt':
      return hasJoined(scope, condition)
    case 'clickedLink': {
      const clicked = isContactAmong(findClickers(workspaceId, text, is.endsWith('qual')), within)
      return is.startsWith('not') ? not(clicked) : clicked
    }
    case 'sent':
    case 'opened':
    case 'clicked':
    case 'replied':
    case 'bounced':
      return compileActivity(scope, condition)
    default: {
      const equal = compileEqual(scope, field, text)
      return is === 'equal' ? equal : not(equal)
    }
  }
}

/** The condition of a filter that was checked, over the contact `c` of its workspace. */
export function compileFilter(scope: FilterScope, { op, items }: ContactFilter): Sql {
  if (items.length === 0) return sql`true`
  const conditions = items.map((item) => (isGroup(item) ? compileFilter(scope, item) : compileCondition(scope, item)))
  return sql`(${sql.join(conditions, op === 'and' ? sql` and ` : sql` or `)})`
}
