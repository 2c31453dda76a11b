import { planLimits } from '#contracts/billing/plans.ts'
import type { LawfulBasis } from '#contracts/collector/collector.ts'
import type { Contact } from '#contracts/contacts/contacts.ts'
import { requireRoomForContact } from '#server/features/billing/index.ts'
import { isTaken } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, notFound, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { normalizeEmail, normalizePhone } from './address.ts'
import { showEvidence } from './confirmations/evidence.ts'
import { leaveAgain } from './erasure/erased-store.ts'
import { requireNotErased } from './erasure/erasure.ts'
import { readAttributes } from './fields/fields.ts'
import { requireLists } from './lists/lists.ts'
import { listOrigins } from './origins-store.ts'
import { findFrequency } from './preferences/preferences-store.ts'
import { SAMPLE_SOURCE } from './samples-store.ts'
import * as store from './store.ts'
import { requireTags } from './tags/tags.ts'
import { setTags } from './tags/tags-store.ts'
import { findEdited, insertEdit } from './timeline/edits-store.ts'
import { listNames } from './timeline/timeline-store.ts'

interface ContactInput {
  email?: string | null | undefined
  phone?: string | null | undefined
  bsuid?: string | null | undefined
  name?: string | undefined
  attributes?: store.AttributeMap | undefined
  lists?: string[] | undefined
  tags?: string[] | undefined
  /** The person was erased and asked to be added again. */
  readmit?: boolean | undefined
}

/** A contact as the API shows it. */
export const presentContact = (row: store.ContactRow): Contact => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** 400 that says what is wrong with an address, as a sentence. */
export function badAddress(field: string, reason: string): Refusal {
  return new Refusal(400, 'invalid', `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`, {
    details: [{ field, message: reason }],
  })
}

function readEmail(field: string, text: string) {
  const read = normalizeEmail(text)
  if ('reason' in read) throw badAddress(field, read.reason)
  return { email: read.address, emailKey: read.key }
}

function readPhone(field: string, text: string) {
  const read = normalizePhone(text)
  if ('reason' in read) throw badAddress(field, read.reason)
  return read
}

/** The most contacts a plan allows; null is without a limit. */
export function contactLimit(plan: string): number | null {
  return planLimits(plan).contacts
}

function toContactFields(given: ContactInput): store.ContactFields {
  return {
    ...(given.email !== undefined &&
      (given.email === null ? { email: null, emailKey: null } : readEmail('email', given.email))),
    ...(given.phone !== undefined && (given.phone === null ? { phone: null } : readPhone('phone', given.phone))),
    ...(given.bsuid !== undefined && { bsuid: given.bsuid }),
    ...(given.name !== undefined && { name: given.name }),
    ...(given.attributes !== undefined && { attributes: given.attributes }),
  }
}

/**
 * The same, with the values of custom fields as their types store them. First of all in a transaction: who makes a new field
 * waits for others who do, and may hold no contact meanwhile.
 */
async function withTypedValues(db: Db, workspaceId: string, fields: store.ContactFields): Promise<store.ContactFields> {
  if (!fields.attributes) return fields
  return { ...fields, attributes: await readAttributes(db, workspaceId, 'attributes', fields.attributes) }
}

const withoutNulls = (attributes: store.AttributeMap = {}) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))

const taken = () => conflict('address_taken', 'Another contact already has this address.')

export async function showContact(db: Db, workspaceId: string, id: string): Promise<Contact> {
  const row = await store.contactById(db, workspaceId, id)
  if (!row) throw notFound('Contact')
  return presentContact(row)
}

/** A contact with where it comes from, as far as it was collected, what it agreed to, and how often it wants emails; a refusal (404) when there is none. */
export async function showWithOrigins(db: Db, workspaceId: string, id: string) {
  const contact = await showContact(db, workspaceId, id)
  const origins = await listOrigins(db, workspaceId, id)
  return {
    ...contact,
    ...(await showEvidence(db, workspaceId, id)),
    ...(await findFrequency(db, workspaceId, id)),
    origins: origins.map((origin) => ({
      ...origin,
      basis: origin.basis as LawfulBasis | null,
      foundAt: origin.foundAt.toISOString(),
      at: origin.at.toISOString(),
    })),
  }
}

/** Refuses lists and tags that the workspace does not have. */
async function requireSets(db: Db, workspaceId: string, { lists, tags }: Pick<ContactInput, 'lists' | 'tags'>) {
  await requireLists(db, workspaceId, 'lists', lists ?? [])
  await requireTags(db, workspaceId, 'tags', tags ?? [])
}

export function createContact(services: Services, caller: Caller, given: ContactInput): Promise<Contact> {
  const { db, queue, config } = services
  const fields = toContactFields(given)
  return db.transaction().execute(async (db) => {
    const typed = await withTypedValues(db, caller.workspaceId, fields)
    await requireSets(db, caller.workspaceId, given)
    if (fields.emailKey && (await store.findContact(db, caller.workspaceId, { emailKey: fields.emailKey })))
      throw taken()
    await requireNotErased(services, db, caller.workspaceId, fields, given.readmit)
    await requireRoomForContact({ queue }, db, caller.workspaceId)
    const id = await store.insertContact(
      db,
      caller.workspaceId,
      { ...fields, attributes: withoutNulls(typed.attributes) },
      'manual',
    )
    if (!id) throw taken()
    await leaveAgain(db, config, caller.workspaceId, leftBy(fields))
    await store.addToLists(db, caller.workspaceId, id, given.lists ?? [])
    await setTags(db, caller.workspaceId, id, given.tags ?? [])
    return showContact(db, caller.workspaceId, id)
  })
}

/** Throws Refusal 400 where nothing is left by which a contact can be reached. */
function requireAddress({ email, phone, bsuid }: store.ContactFields): void {
  if (!email && !phone && !bsuid) throw badAddress('email', 'a contact needs an email address or a phone number')
}

/** What the lists somebody left are remembered by. */
const leftBy = ({ emailKey, phone }: store.ContactFields) => (emailKey || phone ? [(emailKey || phone) as string] : [])

async function change(
  services: Pick<Services, 'config'>,
  db: Db,
  { workspaceId, userId }: Pick<Caller, 'workspaceId' | 'userId'>,
  id: string,
  fields: store.ContactFields,
  { lists, tags, readmit }: Pick<ContactInput, 'lists' | 'tags' | 'readmit'>,
): Promise<Contact> {
  await requireSets(db, workspaceId, { lists, tags })
  // Two changes of one contact, or a change and a merge, come one after the other.
  await store.lockAddresses(db, workspaceId, id)
  const before = await store.contactById(db, workspaceId, id)
  if (!before) throw notFound('Contact')
  const email = fields.email === undefined ? before.email : fields.email
  const phone = fields.phone === undefined ? before.phone : fields.phone
  const bsuid = fields.bsuid === undefined ? before.bsuid : fields.bsuid
  requireAddress({ email, phone, bsuid })
  // Addresses it has already are nobody else's.
  const added = {
    ...(fields.email && fields.email !== before.email && { email: fields.email, emailKey: fields.emailKey }),
    ...(fields.phone && fields.phone !== before.phone && { phone: fields.phone }),
  }
  // Nobody real becomes a sample contact, which gets no campaign and goes with the sample data.
  if (before.source === SAMPLE_SOURCE && Object.keys(added).length > 0)
    throw conflict(
      'sample_contact',
      'This is a sample contact. Its email address and phone number cannot be changed. Add a contact of your own instead.',
    )
  await requireNotErased(services, db, workspaceId, added, readmit)
  if (Object.keys(fields).length > 0) await store.updateContact(db, workspaceId, id, fields)
  await leaveAgain(db, services.config, workspaceId, leftBy(added))
  if (lists) await store.setLists(db, workspaceId, id, lists)
  if (tags) await setTags(db, workspaceId, id, tags)
  const after = await store.contactById(db, workspaceId, id)
  if (!after) throw notFound('Contact')
  const edit = await findEdited(before, after, (ids) => listNames(db, workspaceId, 'tags', ids))
  await insertEdit(db, workspaceId, id, edit, userId)
  return presentContact(after)
}

/** The unique index is the judge of addresses two changes want at once. */
async function refuseTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isTaken(error) ? taken() : error
  }
}

export function changeContact(services: Services, caller: Caller, id: string, given: ContactInput): Promise<Contact> {
  const fields = toContactFields(given)
  const work = services.db.transaction().execute(async (db) => {
    const typed = await withTypedValues(db, caller.workspaceId, fields)
    return change(services, db, caller, id, typed, given)
  })
  return refuseTaken(work)
}

/** Adds the contact with this address or phone number, or changes it as PATCH would. */
export function upsertContact(
  services: Services,
  caller: Caller,
  address: string,
  given: ContactInput,
): Promise<Contact> {
  const { db, queue, config } = services
  const { workspaceId } = caller
  const named = address.includes('@') ? readEmail('address', address) : readPhone('address', address)
  const by = 'emailKey' in named ? { emailKey: named.emailKey } : named
  const fields = { ...named, ...toContactFields(given) }
  const work = db.transaction().execute(async (db) => {
    const typed = await withTypedValues(db, workspaceId, fields)
    await requireSets(db, workspaceId, given)
    let id = await store.findContact(db, workspaceId, by)
    if (!id) {
      requireAddress(fields)
      await requireNotErased(services, db, workspaceId, fields, given.readmit)
      await requireRoomForContact({ queue }, db, workspaceId)
      const added = await store.insertContact(
        db,
        workspaceId,
        { ...typed, attributes: withoutNulls(typed.attributes) },
        'api',
      )
      if (added) {
        await leaveAgain(db, config, workspaceId, leftBy(fields))
        await store.addToLists(db, workspaceId, added, given.lists ?? [])
        await setTags(db, workspaceId, added, given.tags ?? [])
        return showContact(db, workspaceId, added)
      }
      // Somebody else added it in this moment.
      id = await store.findContact(db, workspaceId, by)
    }
    if (!id) throw taken()
    // The address it was found by stays as it is written there, unless another one is given.
    const rest = given.email === undefined && 'emailKey' in named ? toContactFields(given) : fields
    const own = { ...rest, ...(typed.attributes && { attributes: typed.attributes }) }
    return change(services, db, caller, id, own, given)
  })
  return refuseTaken(work)
}

export async function removeContact({ db, config }: Services, workspaceId: string, id: string): Promise<void> {
  const removed = await db.transaction().execute((db) => store.deleteContacts(db, config, workspaceId, [id]))
  if (removed === 0) throw notFound('Contact')
}
