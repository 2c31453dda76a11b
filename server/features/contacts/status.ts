import { type RawBuilder, sql } from 'kysely'
import type { ContactStatus } from '#contracts/contacts/filter.ts'
import { domainKey, emailKeys, ownFirst, suppressedDomains } from './suppressions/email-keys.ts'

const reasonStatus = sql`case when s.reason = 'unsubscribe' then 'unsubscribed'
  when s.reason in ('hard_bounce', 'soft_bounce') then 'bounced' else 'suppressed' end`

/**
 * The status of the contact `c`, the one place where it is decided: its email address counts, or its number where it has none.
 * What suppresses that comes first; then its lists: who left all of them is unsubscribed, who confirmed none is pending.
 * Each look-up names its channel, so that the planner takes the index of addresses.
 */
export const contactStatus = (workspaceId: string) => sql<ContactStatus>`coalesce(
  case when c.email_key is not null then
    (select ${reasonStatus} from suppressions s where s.workspace_id = ${workspaceId} and s.channel = 'email' and s.address_key in (${emailKeys(sql.ref('c.email_key'))})
      order by ${ownFirst} limit 1)
  else
    (select ${reasonStatus} from suppressions s where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp' and s.address_key in (c.phone, c.bsuid) limit 1)
  end,
  (select case when bool_or(lm.status = 'confirmed') then 'subscribed' when bool_or(lm.status = 'pending') then 'pending' else 'unsubscribed' end
    from list_members lm where lm.workspace_id = ${workspaceId} and lm.contact_id = c.id having count(*) > 0),
  'subscribed')`

const ofSuppressions = (workspaceId: string, reasons: RawBuilder<unknown>) => sql`
  select o.id from suppressions s join contacts o on o.workspace_id = s.workspace_id and o.email_key = s.address_key
    where s.workspace_id = ${workspaceId} and s.channel = 'email' and ${reasons}
  union select o.id from suppressions s join contacts o on o.workspace_id = s.workspace_id and o.phone = s.address_key
    where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp' and ${reasons}
  union select o.id from suppressions s join contacts o on o.workspace_id = s.workspace_id and o.bsuid = s.address_key
    where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp' and ${reasons}`

/** Contacts of suppressed domains; without one nobody is looked at. */
const ofDomains = (workspaceId: string) => sql`
  select o.id from contacts o where o.workspace_id = ${workspaceId} and exists (${suppressedDomains(workspaceId)})
    and ${domainKey(sql.ref('o.email_key'))} in (${suppressedDomains(workspaceId)})`

const ofMembers = (workspaceId: string, status: string) =>
  sql`select contact_id as id from list_members where workspace_id = ${workspaceId} and status = ${status}`

/**
 * The ids of all contacts that may have a status, and of some that do not: those that are rare are found without asking
 * each contact. undefined: it is the usual one, which is found by asking.
 */
export function statusCandidates(workspaceId: string, status: ContactStatus): RawBuilder<unknown> | undefined {
  switch (status) {
    case 'subscribed':
      return undefined
    case 'pending':
      return ofMembers(workspaceId, 'pending')
    case 'unsubscribed':
      return sql`${ofSuppressions(workspaceId, sql`s.reason = 'unsubscribe'`)} union ${ofMembers(workspaceId, 'unsubscribed')}`
    case 'bounced':
      return ofSuppressions(workspaceId, sql`s.reason in ('hard_bounce', 'soft_bounce')`)
    case 'suppressed':
      return sql`${ofSuppressions(workspaceId, sql`s.reason not in ('unsubscribe', 'hard_bounce', 'soft_bounce')`)} union ${ofDomains(workspaceId)}`
  }
}
