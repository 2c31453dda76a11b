import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Days for which DNS is believed, and hours after it did not answer. */
const KNOWN_DAYS = 7
const UNKNOWN_HOURS = 1
/** Days after which a domain that no campaign goes to any more is forgotten. */
const FORGOTTEN_DAYS = 30

/** The domain of the address in a column, in lower case. */
export const domainColumn = (address: RawBuilder<unknown>) => sql`lower(substring(${address} from '[^@]*$'))`

/** The operators that host the mail of these domains; without those that none is known to host. */
export async function readOperators(db: Db, domains: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ domain: string; operator: string }>`
    select domain, operator from receiver_domains
    where domain = any(${domains}::text[]) and operator is not null`.execute(db)
  return new Map(rows.map(({ domain, operator }) => [domain, operator]))
}

/** Domains of a campaign's recipients that are to be looked up, those of most recipients first. `isNamed`: known by their name. */
export async function listUnknownDomains(
  db: Db,
  campaign: { workspaceId: string; campaignId: string },
  isNamed: RawBuilder<unknown>,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    with domains as materialized (
      select ${domainColumn(sql.ref('address'))} as domain, count(*) as recipients from messages
      where workspace_id = ${campaign.workspaceId} and campaign_id = ${campaign.campaignId} and position('@' in address) > 0
      group by 1
    )
    select domain from domains
    where not ${isNamed} and length(domain) <= 253
      and not exists (select 1 from receiver_domains known where known.domain = domains.domain and known.expires_at > now())
    order by recipients desc, domain limit ${limit}`.execute(db)
  return rows.map(({ domain }) => domain)
}

/** What DNS said of a domain. `isKnown`: it answered; else what was known before stays. */
export interface LookedUp {
  domain: string
  operator: string | null
  isKnown: boolean
}

/** Writes what DNS said. In the order of domains, so that two that write the same wait for each other in one direction only. */
export async function writeDomains(db: Db, found: readonly LookedUp[]): Promise<void> {
  const rows = found.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))
  await sql`
    insert into receiver_domains as d (domain, operator, expires_at)
    select domain, operator, now() + case when is_known then make_interval(days => ${KNOWN_DAYS}) else make_interval(hours => ${UNKNOWN_HOURS}) end
    from unnest(${rows.map(({ domain }) => domain)}::text[], ${rows.map(({ operator }) => operator)}::text[],
      ${rows.map(({ isKnown }) => isKnown)}::boolean[]) as f (domain, operator, is_known)
    on conflict (domain) do update set expires_at = excluded.expires_at,
      operator = case when excluded.expires_at > now() + interval '1 day' then excluded.operator else d.operator end`.execute(
    db,
  )
}

/** Forgets domains that nothing was sent to for long. */
export async function forgetDomains(db: Db): Promise<void> {
  await sql`delete from receiver_domains where expires_at < now() - make_interval(days => ${FORGOTTEN_DAYS})`.execute(
    db,
  )
}
