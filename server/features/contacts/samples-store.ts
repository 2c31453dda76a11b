/** Sample contacts: contacts that no campaign reaches and no limit counts, whatever list somebody puts them on. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { contactParts } from './contact-parts.ts'
import { hashed, type Secret } from './suppressions/retained-suppressions.ts'

/** The source of a sample contact. No request can set a source, and none changes this one. */
export const SAMPLE_SOURCE = 'sample'

/** Whether the contact `c` is a sample. */
export const isSampleContact = sql<boolean>`(c.source = 'sample')`

/** A contact of the sample data. Its address is below example.com or example.org, which nobody owns (RFC 2606). */
export interface SampleContact {
  email: string
  name: string
  attributes: Record<string, string>
  /** Why its address is suppressed, if it is, and since when. */
  suppressed?: { reason: string; at: Date; note: string } | undefined
}

/**
 * Adds a list of sample contacts. One whose address a contact has already is omitted: that contact is the user's. Returns
 * the list and the ids of the contacts by address.
 */
export async function addSampleContacts(
  db: Db,
  workspaceId: string,
  name: string,
  people: SampleContact[],
  at: Date,
): Promise<{ listId: string; ids: Map<string, string> }> {
  const { id: listId } = await db
    .insertInto('lists')
    .values({ workspaceId, name, isSample: true, createdAt: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const added = await db
    .insertInto('contacts')
    .values(
      people.map(({ email, name, attributes }) => ({
        ...{ workspaceId, email, emailKey: email, name, source: SAMPLE_SOURCE, createdAt: at, updatedAt: at },
        attributes: JSON.stringify(attributes),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'email'])
    .execute()
  const ids = new Map(added.map(({ id, email }) => [email ?? '', id]))
  const members = people.flatMap(({ email, suppressed }) => {
    const contactId = ids.get(email)
    const hasLeft = suppressed?.reason === 'unsubscribe'
    const status = { status: hasLeft ? 'unsubscribed' : 'confirmed', at: hasLeft ? suppressed.at : at }
    return contactId ? [{ workspaceId, listId, contactId, ...status }] : []
  })
  if (members.length > 0) await db.insertInto('listMembers').values(members).execute()
  return { listId, ids }
}

/** Suppresses those of the sample contacts that are to be: with `campaignId` as what led to it. */
export async function suppressSamples(
  db: Db,
  workspaceId: string,
  campaignId: string,
  people: SampleContact[],
): Promise<void> {
  const rows = people.flatMap(({ email, suppressed }) =>
    suppressed ? [{ workspaceId, channel: 'email', address: email, addressKey: email, campaignId, ...suppressed }] : [],
  )
  if (rows.length === 0) return
  await db
    .insertInto('suppressions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Removes the sample contacts with all that is stored of them, and their list. A list that has other contacts by now, or that
 * the user changed, stays as theirs. `known`: the addresses of all sample contacts there ever are, also of those erased.
 */
export async function removeSampleContacts(
  db: Db,
  config: Secret,
  workspaceId: string,
  known: string[],
): Promise<void> {
  const gone = await db
    .deleteFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('source', '=', SAMPLE_SOURCE)
    .returning('id')
    .execute()
  const ids = gone.map(({ id }) => id)
  if (ids.length > 0) {
    await db.deleteFrom('listMembers').where('workspaceId', '=', workspaceId).where('contactId', 'in', ids).execute()
    await db.deleteFrom('contactTags').where('workspaceId', '=', workspaceId).where('contactId', 'in', ids).execute()
    await db.deleteFrom('contactOrigins').where('workspaceId', '=', workspaceId).where('contactId', 'in', ids).execute()
    for (const part of contactParts()) await part.deleteWith?.(db, workspaceId, ids)
  }
  // What is left has the same address and is the user's.
  const nobody = sql`not exists (select 1 from contacts c where c.workspace_id = ${workspaceId} and c.email_key = given.key)`
  const given = sql`unnest(${known}::text[]) as given (key)`
  await sql`delete from suppressions s using ${given}
    where s.workspace_id = ${workspaceId} and s.channel = 'email' and s.address_key = given.key and ${nobody}`.execute(
    db,
  )
  const isOfSample = sql`m.workspace_id = ${workspaceId} and m.address_hash = ${hashed(config, sql`given.key`)} and ${nobody}`
  await sql`delete from erased_addresses m using ${given} where ${isOfSample}`.execute(db)
  await sql`delete from left_lists m using ${given} where ${isOfSample}`.execute(db)
  await sql`delete from lists l where l.workspace_id = ${workspaceId} and l.is_sample
    and not exists (select 1 from list_members m where m.workspace_id = l.workspace_id and m.list_id = l.id)
    and not exists (select 1 from imports i where i.workspace_id = l.workspace_id and i.list_id = l.id)`.execute(db)
  await sql`update lists set is_sample = false where workspace_id = ${workspaceId} and is_sample`.execute(db)
}
