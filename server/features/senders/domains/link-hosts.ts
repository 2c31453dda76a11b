/** Sending domains whose tracking host is in sent emails, whatever became of the domain since, and while its workspace is suspended. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

const DAY_MS = 86_400_000
/** Links of an email last as long as certificates are got for their host: longer than any law asks for. */
const USED_DAYS = 400
/** Domains of a workspace that are remembered, those used last: adding and removing domains makes no endless list. */
const MAX_HOSTS = 100

/** Whether emails of the last 400 days have links at the `links.` name of a domain. */
export async function findUsedHost(db: Db, domain: string): Promise<boolean> {
  const { rows } = await sql`select from link_hosts
    where domain = ${domain} and used_at > now() - make_interval(days => ${USED_DAYS}) limit 1`.execute(db)
  return rows.length > 0
}

/** Notes that emails get links at the name of a domain: once a day, however many slices are sent. */
export async function noteUsedHost(db: Db, workspaceId: string, domain: string, now = new Date()): Promise<void> {
  const known = await sql`select from link_hosts where workspace_id = ${workspaceId} and domain = ${domain}
    and used_at > ${new Date(now.getTime() - DAY_MS)}`.execute(db)
  if (known.rows.length > 0) return
  await sql`insert into link_hosts (workspace_id, domain, used_at) values (${workspaceId}, ${domain}, ${now})
    on conflict (workspace_id, domain) do update set used_at = excluded.used_at`.execute(db)
  await sql`delete from link_hosts where workspace_id = ${workspaceId} and domain in (
    select domain from link_hosts where workspace_id = ${workspaceId} order by used_at desc offset ${MAX_HOSTS})`.execute(
    db,
  )
}
