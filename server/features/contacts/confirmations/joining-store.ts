import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { forgetLeft, goneSince, leaveAgain, readmit } from '../erasure/erased-store.ts'
import { countConfirmation } from '../forms/forms-store.ts'
import { noteConsent } from '../origins-store.ts'
import { isSampleContact } from '../samples-store.ts'
import { findContact, insertContact, updateContact } from '../store.ts'
import type { Secret } from '../suppressions/retained-suppressions.ts'
import { tagContacts } from '../tags/tags-store.ts'
import { type ConfirmationRow, decline, findConfirmation, noteConfirmed, type Visitor } from './confirmations-store.ts'

/**
 * What a request finds on a list: `open` to be confirmed; `confirmed` already; `left`, because the person unsubscribed after
 * it was made, or was taken off by themselves; `gone`, the list or the membership it is about.
 */
export type Standing = 'open' | 'confirmed' | 'left' | 'gone'

/** The lists of a request, by what it finds on most of them: as long as one is open, the request is. */
export interface Joining {
  standing: Standing
  /** Names of the lists with this standing. */
  lists: string[]
  templateId: string | null
}

/** What is asked: a list, an address, since when (seconds of the database's clock). */
interface Asked {
  workspaceId: string
  emailKey: string
  at: number
  /** The person asked for it: confirming makes the contact and the membership where there are none. */
  joins: boolean
}

interface PlaceRow {
  id: string
  name: string
  templateId: string | null
  contactId: string | null
  status: 'confirmed' | 'pending' | 'unsubscribed' | null
  leftLater: boolean
  stopped: boolean
  barred: boolean
  isSample: boolean
}

const toAsked = (row: ConfirmationRow): Asked => ({ ...row, joins: row.source !== 'member' })

async function findPlaces(db: Db, config: Secret, listIds: string[], asked: Asked): Promise<PlaceRow[]> {
  const { workspaceId, emailKey: key, at } = asked
  const { rows } = await sql<PlaceRow>`
    select l.id, l.name, l.confirmation_template_id as template_id, c.id as contact_id, m.status,
      coalesce(m.status = 'unsubscribed' and m.at > to_timestamp(${at}), false) or coalesce(s.at > to_timestamp(${at}), false) as left_later,
      coalesce(s.reason = 'unsubscribe', false) as stopped, s.reason is not null as barred,
      coalesce(${isSampleContact}, false) as is_sample
    from lists l
    left join contacts c on c.workspace_id = l.workspace_id and c.email_key = ${key}
    left join list_members m on m.workspace_id = l.workspace_id and m.list_id = l.id and m.contact_id = c.id
    left join suppressions s on s.workspace_id = l.workspace_id and s.channel = 'email' and s.address_key = ${key}
      and s.reason in ('unsubscribe', 'complaint')
    where l.workspace_id = ${workspaceId} and l.id = any(${listIds}::bigint[]) order by l.id`.execute(db)
  for (const row of rows)
    if (!row.contactId) row.leftLater ||= (await goneSince(db, config, workspaceId, row.id, key)) > at
  return rows
}

/** Unsubscribing counts more than an older request, and only the person's own asking more than having left. */
function toStanding(row: PlaceRow, { joins }: Asked): Standing {
  // Nobody has the address of a sample contact.
  if (row.isSample) return 'gone'
  if (row.leftLater || (!joins && (row.status === 'unsubscribed' || row.barred))) return 'left'
  if (row.status === null && !joins) return 'gone'
  return row.status === 'confirmed' && !row.stopped ? 'confirmed' : 'open'
}

const ORDER: Standing[] = ['open', 'confirmed', 'left', 'gone']

function toJoining(places: PlaceRow[], asked: Asked): Joining {
  const standings = places.map((place) => ({ ...place, standing: toStanding(place, asked) }))
  const standing = ORDER.find((one) => standings.some((place) => place.standing === one)) ?? 'gone'
  const named = standings.filter((place) => place.standing === standing)
  return { standing, lists: named.map(({ name }) => name), templateId: named[0]?.templateId ?? null }
}

/** What a request finds now. */
export async function findJoining(db: Db, config: Secret, row: ConfirmationRow): Promise<Joining> {
  const asked = toAsked(row)
  return toJoining(await findPlaces(db, config, row.listIds, asked), asked)
}

/** Whether somebody who asks now to be on these lists has to be asked: not on all of them yet. */
export async function isOpen(
  db: Db,
  config: Secret,
  workspaceId: string,
  listIds: string[],
  emailKey: string,
): Promise<boolean> {
  const { rows } = await sql<{ at: number }>`select extract(epoch from now())::float8 as at`.execute(db)
  const asked = { workspaceId, emailKey, at: rows[0]?.at as number, joins: true }
  return toJoining(await findPlaces(db, config, listIds, asked), asked).standing === 'open'
}

/** Whether an address once left one of these lists, is suppressed or was erased: then only its own confirmation counts. */
export async function isBarred(
  db: Db,
  config: Secret,
  workspaceId: string,
  listIds: string[],
  emailKey: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from suppressions where workspace_id = ${workspaceId} and channel = 'email' and address_key = ${emailKey}
    union all
    select from contacts c join list_members m on m.workspace_id = c.workspace_id and m.contact_id = c.id
    where c.workspace_id = ${workspaceId} and c.email_key = ${emailKey} and m.list_id = any(${listIds}::bigint[]) and m.status = 'unsubscribed'
    limit 1`.execute(db)
  if (rows.length > 0) return true
  for (const listId of listIds) if ((await goneSince(db, config, workspaceId, listId, emailKey)) > 0) return true
  return false
}

/** Which lists are joined, by whom, and what they typed. */
export interface Join {
  workspaceId: string
  listIds: string[]
  email: string
  emailKey: string
  fields: ConfirmationRow['fields']
  source: string
  /** They proved that the address is theirs: what they typed changes the contact that is there. */
  isProven: boolean
}

/**
 * Puts a person who asked for it on lists, as a new contact where there is none. Returns their contact; undefined where the
 * plan has no room for another one.
 */
export async function join(
  db: Db,
  config: Secret,
  { workspaceId, listIds, email, emailKey, fields, source, isProven }: Join,
  hasRoom: (db: Db, workspaceId: string) => Promise<boolean>,
): Promise<string | undefined> {
  const known = await findContact(db, workspaceId, { emailKey })
  if (!known && !(await hasRoom(db, workspaceId))) return undefined
  const made = known ?? (await insertContact(db, workspaceId, { email, emailKey, ...typed(fields) }, source))
  // Added in this moment by somebody else.
  const contactId = made ?? ((await findContact(db, workspaceId, { emailKey })) as string)
  if (known && isProven && Object.keys(typed(fields)).length > 0)
    await updateContact(db, workspaceId, contactId, typed(fields))
  if (!known) {
    await readmit(db, config, workspaceId, { email, emailKey })
    for (const listId of listIds) await forgetLeft(db, config, workspaceId, listId, emailKey)
    await leaveAgain(db, config, workspaceId, [emailKey])
  }
  await sql`insert into list_members (workspace_id, list_id, contact_id, status)
    select ${workspaceId}, id, ${contactId}, 'confirmed' from lists
    where workspace_id = ${workspaceId} and id = any(${listIds}::bigint[]) order by id
    on conflict (workspace_id, list_id, contact_id) do update set status = 'confirmed', at = excluded.at
      where list_members.status <> 'confirmed'`.execute(db)
  await liftUnsubscribe(db, workspaceId, listIds, contactId, emailKey)
  for (const tagId of fields.tags ?? []) await tagContacts(db, workspaceId, [contactId], tagId)
  return contactId
}

const typed = ({ name, attributes }: ConfirmationRow['fields']) => ({
  ...(name && { name }),
  ...(attributes && Object.keys(attributes).length > 0 && { attributes }),
})

/**
 * Confirms a request, if it still is `open`; returns what it was found as. `hasRoom` is asked before a contact is made;
 * `full` is the answer when there is none.
 */
export function confirm(
  db: Db,
  config: Secret,
  found: ConfirmationRow,
  visitor: Visitor,
  hasRoom: (db: Db, workspaceId: string) => Promise<boolean>,
): Promise<Omit<Joining, 'standing'> & { standing: Standing | 'full' }> {
  return db.transaction().execute(async (db): Promise<Omit<Joining, 'standing'> & { standing: Standing | 'full' }> => {
    const row = await findConfirmation(db, found.workspaceId, found.id, true)
    if (!row) return { standing: 'gone', lists: [], templateId: null }
    const asked = toAsked(row)
    const { workspaceId, emailKey } = row
    // The contact is held, so that what unsubscribes it at this moment is before or after.
    await findContact(db, workspaceId, { emailKey })
    const places = await findPlaces(db, config, row.listIds, asked)
    const joining = toJoining(places, asked)
    if (joining.standing !== 'open') return joining
    const open = places.filter((place) => toStanding(place, asked) === 'open')
    const listIds = open.map(({ id }) => id)
    const source = row.source === 'member' ? 'manual' : row.source
    const contactId = await join(db, config, { ...row, listIds, source, isProven: true }, hasRoom)
    if (contactId === undefined) return { ...joining, standing: 'full' }
    for (const { name } of open) await noteConsent(db, workspaceId, contactId, name)
    await noteConfirmed(db, row, contactId, visitor)
    if (row.formId) await countConfirmation(db, workspaceId, row.formId)
    return joining
  })
}

/**
 * The person did not ask for it, and will not be asked again. Returns what the request found: only an open one is declined, and
 * a confirmation at the same moment comes before or after.
 */
export function declineJoining(db: Db, config: Secret, found: ConfirmationRow): Promise<Joining> {
  return db.transaction().execute(async (db) => {
    const row = await findConfirmation(db, found.workspaceId, found.id, true)
    if (!row) return { standing: 'gone', lists: [], templateId: null }
    await findContact(db, row.workspaceId, { emailKey: row.emailKey })
    const joining = await findJoining(db, config, row)
    if (joining.standing === 'open') await decline(db, row)
    return joining
  })
}

/** The person's own unsubscribing before is taken back for these lists: every other one stays left. */
async function liftUnsubscribe(db: Db, workspaceId: string, listIds: string[], contactId: string, key: string) {
  await sql`
    with lifted as (
      delete from suppressions where workspace_id = ${workspaceId} and channel = 'email' and address_key = ${key} and reason = 'unsubscribe'
      returning 1
    ) update list_members set status = 'unsubscribed', at = now()
      where workspace_id = ${workspaceId} and contact_id = ${contactId} and list_id <> all(${listIds}::bigint[]) and status = 'confirmed'
        and exists (select 1 from lifted)`.execute(db)
}
