import { sql } from 'kysely'
import type { Recipient } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

const NEWEST = 2_000

/** The three contacts with the longest attributes among the workspace's 2,000 newest: a template has to do for them too. */
export async function longestContacts(db: Db, workspaceId: string): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select id, email, name, phone, attributes
    from (select * from contacts where workspace_id = ${workspaceId} and email is not null order by id desc limit ${NEWEST}) c
    order by octet_length(attributes::text) desc, id limit 3`.execute(db)
  return rows
}
