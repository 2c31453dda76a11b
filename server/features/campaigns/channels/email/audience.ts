import { sql } from 'kysely'
import type { Recipient } from '#server/engine/index.ts'
import { hasOrigins, isSampleContact } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { withoutBasis } from '../../origins.ts'

/** People the campaign would go to: confirmed members of its lists with an address, each once; those omitted are counted apart. */
export async function countAudience(
  db: Db,
  workspaceId: string,
  listIds: string[],
): Promise<{ people: number; suppressed: number; withoutBasis: number; samples: number }> {
  if (listIds.length === 0) return { people: 0, suppressed: 0, withoutBasis: 0, samples: 0 }
  const barred = (await hasOrigins(db, workspaceId)) ? withoutBasis(workspaceId) : sql`false`
  const { rows } = await sql<{ people: string; suppressed: string; withoutBasis: string; samples: string }>`
    select count(*) as people, count(*) filter (where ${isSampleContact}) as samples,
      count(s.id) filter (where not ${isSampleContact}) as suppressed, count(*) filter (where s.id is null and ${barred}) as without_basis
    from (select distinct contact_id from list_members
      where workspace_id = ${workspaceId} and list_id = any(${listIds}::bigint[]) and status = 'confirmed') as member
    join contacts c on c.id = member.contact_id and c.workspace_id = ${workspaceId} and c.email is not null
    left join suppressions s on s.workspace_id = c.workspace_id and s.channel = 'email' and s.address_key = c.email_key`.execute(
    db,
  )
  const number = (key: 'people' | 'suppressed' | 'withoutBasis' | 'samples') => Number(rows[0]?.[key] ?? 0)
  return {
    people: number('people'),
    suppressed: number('suppressed'),
    withoutBasis: number('withoutBasis'),
    samples: number('samples'),
  }
}

const SAMPLE = 5_000

/** The attribute names found among the first 5,000 members of the lists. */
export async function attributeNames(db: Db, workspaceId: string, listIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(c.attributes) as name
    from (select contact_id from list_members where list_id = any(${listIds}::bigint[]) and status = 'confirmed' limit ${SAMPLE}) m
    join contacts c on c.id = m.contact_id and c.workspace_id = ${workspaceId}`.execute(db)
  return rows.map((row) => row.name)
}

const MEMBERS = 20_000

/** Some of those the lists hold: the first four, and the eight with the longest attributes among 20,000. */
export async function sampleMembers(db: Db, workspaceId: string, listIds: string[]): Promise<Recipient[]> {
  if (listIds.length === 0) return []
  const { rows } = await sql<Recipient>`
    with member as materialized (
      select distinct contact_id from list_members
      where workspace_id = ${workspaceId} and list_id = any(${listIds}::bigint[]) and status = 'confirmed' limit ${MEMBERS}
    ), person as materialized (
      select c.id, c.email, c.name, c.phone, c.attributes, octet_length(c.attributes::text) as length
      from member join contacts c on c.id = member.contact_id and c.workspace_id = ${workspaceId} and c.email is not null
    ), chosen as (
      (select id from person order by length desc, id limit 8) union (select id from person order by id limit 4)
    )
    select id, email, name, phone, attributes from person where id in (select id from chosen) order by length desc, id`.execute(
    db,
  )
  return rows
}
