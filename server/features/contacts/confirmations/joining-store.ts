import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { forgetLeft, goneSince, leaveAgain, readmit } from '../erasure/erased-store.ts'
import { noteConsent } from '../origins-store.ts'
import { isSampleContact } from '../samples-store.ts'
import { findContact, insertContact } from '../store.ts'
import type { Secret } from '../suppressions/retained-suppressions.ts'
import type { ConfirmationLink } from './confirmation-link.ts'

/** A list somebody may be asked about. */
export interface AskedList {
  id: string
  workspaceId: string
  name: string
}

/**
 * What a confirmation link finds: `open` to be confirmed; `confirmed` already; `left`, because the person unsubscribed
 * after it was sent, or was taken off by themselves; `gone`, the list or the membership it is about.
 */
export type Standing = 'open' | 'confirmed' | 'left' | 'gone'

export interface JoinPlace extends AskedList {
  sender: string
  standing: Standing
}

interface PlaceRow extends AskedList {
  sender: string
  contactId: string | null
  status: 'confirmed' | 'pending' | 'unsubscribed' | null
  leftLater: boolean
  stopped: boolean
  barred: boolean
  isSample: boolean
}

/** The seconds of the database's clock: what is said later is compared with it. */
export async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ at: number }>`select extract(epoch from now())::float8 as at`.execute(db)
  return rows[0]?.at as number
}

async function findPlaceRow(
  db: Db,
  config: Secret,
  link: ConfirmationLink,
  key: string,
): Promise<PlaceRow | undefined> {
  const { listId, at } = link
  const { rows } = await sql<PlaceRow>`
    select l.id, l.workspace_id, l.name, coalesce(nullif(w.company, ''), w.name) as sender, c.id as contact_id, m.status,
      coalesce(m.status = 'unsubscribed' and m.at > to_timestamp(${at}), false) or coalesce(s.at > to_timestamp(${at}), false) as left_later,
      coalesce(s.reason = 'unsubscribe', false) as stopped, s.reason is not null as barred,
      coalesce(${isSampleContact}, false) as is_sample
    from lists l join workspaces w on w.id = l.workspace_id
    left join contacts c on c.workspace_id = l.workspace_id and c.email_key = ${key}
    left join list_members m on m.list_id = l.id and m.contact_id = c.id
    left join suppressions s on s.workspace_id = l.workspace_id and s.channel = 'email' and s.address_key = ${key}
      and s.reason in ('unsubscribe', 'complaint')
    where l.id = ${listId}`.execute(db)
  const row = rows[0]
  if (!row || row.contactId) return row
  return { ...row, leftLater: row.leftLater || (await goneSince(db, config, row.workspaceId, listId, key)) > at }
}

/** Unsubscribing counts more than an older link, and only the person's own asking more than having left. */
function toStanding(row: PlaceRow, { joins }: ConfirmationLink): Standing {
  // Nobody has the address of a sample contact.
  if (row.isSample) return 'gone'
  if (row.leftLater || (!joins && (row.status === 'unsubscribed' || row.barred))) return 'left'
  if (row.status === null && !joins) return 'gone'
  return row.status === 'confirmed' && !row.stopped ? 'confirmed' : 'open'
}

/** Where a link leads now; undefined when its list is gone. `key` is of its address. */
export async function findPlace(
  db: Db,
  config: Secret,
  link: ConfirmationLink,
  key: string,
): Promise<JoinPlace | undefined> {
  const row = await findPlaceRow(db, config, link, key)
  return row && { ...row, standing: toStanding(row, link) }
}

/**
 * Confirms what a link is about, if it still is `open`; returns what it was found as. `hasRoom` is asked before a contact
 * is made; `full` is the answer when there is none.
 */
export function confirmPlace(
  db: Db,
  config: Secret,
  link: ConfirmationLink,
  key: string,
  hasRoom: (db: Db, workspaceId: string) => Promise<boolean>,
): Promise<(Omit<JoinPlace, 'standing'> & { standing: Standing | 'full' }) | undefined> {
  return db.transaction().execute(async (db) => {
    const first = await findPlaceRow(db, config, link, key)
    if (!first) return undefined
    // The contact is held, so that what unsubscribes it at this moment is before or after.
    if (first.contactId) await findContact(db, first.workspaceId, { emailKey: key })
    const row = (await findPlaceRow(db, config, link, key)) ?? first
    const standing = toStanding(row, link)
    if (standing !== 'open') return { ...row, standing }
    const { workspaceId } = row
    if (!row.contactId && !(await hasRoom(db, workspaceId))) return { ...row, standing: 'full' }
    const contactId =
      row.contactId ??
      (await insertContact(db, workspaceId, { email: link.email, emailKey: key }, 'blog')) ??
      // Added in this moment by somebody else.
      ((await findContact(db, workspaceId, { emailKey: key })) as string)
    if (!row.contactId) {
      await readmit(db, config, workspaceId, { email: link.email, emailKey: key })
      await forgetLeft(db, config, workspaceId, row.id, key)
      await leaveAgain(db, config, workspaceId, [key])
    }
    await sql`insert into list_members (workspace_id, list_id, contact_id, status) values (${workspaceId}, ${row.id}, ${contactId}, 'confirmed')
      on conflict (workspace_id, list_id, contact_id) do update set status = 'confirmed', at = now()`.execute(db)
    await liftUnsubscribe(db, workspaceId, row.id, contactId, key)
    await noteConsent(db, workspaceId, contactId, row.name)
    return { ...row, standing: 'open' }
  })
}

/** The person's own unsubscribing before is taken back for this one list: every other one stays left. */
async function liftUnsubscribe(db: Db, workspaceId: string, listId: string, contactId: string, key: string) {
  await sql`
    with lifted as (
      delete from suppressions where workspace_id = ${workspaceId} and channel = 'email' and address_key = ${key} and reason = 'unsubscribe'
      returning 1
    ) update list_members set status = 'unsubscribed', at = now()
      where workspace_id = ${workspaceId} and contact_id = ${contactId} and list_id <> ${listId} and status = 'confirmed'
        and exists (select from lifted)`.execute(db)
}
