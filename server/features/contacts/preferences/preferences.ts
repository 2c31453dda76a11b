import type { Agreement, Confirmation } from '#contracts/contacts/contacts.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import { unknownId } from '#server/platform/http/refusal.ts'
import { normalizeEmail } from '../address.ts'
import { insertConfirmed, type Visitor } from '../confirmations/confirmations-store.ts'
import { showEvidence } from '../confirmations/evidence.ts'
import { join } from '../confirmations/joining-store.ts'
import { listOrigins, noteConsent } from '../origins-store.ts'
import { idByEmail } from '../store.ts'
import { leaveSomeLists, liftUnsubscribes, suppress, unsubscribe } from '../suppressions/suppressions-store.ts'
import * as store from './preferences-store.ts'

const PAUSE_DAYS = 30
const DAY_MS = 86_400_000
/** What people agree to who choose a list on their preference page. */
const WORDING = 'Chosen on the preference page'

export type ChannelName = 'email' | 'whatsapp'

/** What a person wants; what is missing stays as it is. */
export interface Wish {
  /** The lists they want of `shownLists`, or of all they see. */
  lists?: string[] | undefined
  shownLists?: string[] | undefined
  /** The channels they want of `shownChannels`, or of all they have. */
  channels?: ChannelName[] | undefined
  shownChannels?: ChannelName[] | undefined
  frequency?: 'all' | 'weekly' | 'pause' | undefined
}

/** The contact behind a link, and the campaign whose email had it. */
export interface PreferenceTarget {
  workspaceId: string
  contactId: string
  campaignId: string | null
}

/** What a person sees on their preference page. */
export interface Preferences {
  email: string | null
  locale: string | null
  company: string
  postalAddress: string
  /** `off`: they unsubscribed. `blocked`: their address is suppressed for another reason. */
  emails: 'on' | 'off' | 'blocked'
  /** null: they never agreed to WhatsApp messages, or are blocked there. */
  whatsapp: 'on' | 'off' | null
  lists: store.ListChoice[]
  frequency: 'all' | 'weekly'
  pausedUntil: Date | null
  source: string
  createdAt: Date
  confirmations: Confirmation[]
  agreements: Agreement[]
  origins: { sourceUrl: string; foundAt: Date; basis: string | null }[]
}

const findEmails = ({ emailReason }: store.PersonRow): Preferences['emails'] =>
  emailReason === null ? 'on' : emailReason === 'unsubscribe' ? 'off' : 'blocked'

function findWhatsApp({ hasConsent, whatsappReason }: store.PersonRow): Preferences['whatsapp'] {
  if (!hasConsent) return null
  return whatsappReason === null ? 'on' : whatsappReason === 'unsubscribe' ? 'off' : null
}

/** The contact that the link of an email leads to. */
export interface LinkedContact {
  id: string
  /** The address it has now, where the email went to another one: who reads that one's mail is not known to read this one's. */
  moved: { address: string; key: string } | null
  /** Whether it still has the address the email went to. */
  hasAddress: boolean
  /** The language stored with it; null where it has another address: who has an old email learns nothing that is stored now. */
  locale: string | null
}

/**
 * The contact a link leads to: by its id, by the contact it was merged into, or by the address the email went to; undefined:
 * there is none any more.
 */
export async function findLinkedContact(
  db: Db,
  workspaceId: string,
  { contactId, address }: { contactId: string; address: string },
): Promise<LinkedContact | undefined> {
  const key = toKey(address)
  const kept = await store.findKept(db, workspaceId, contactId)
  if (kept) {
    const { id, email, emailKey } = kept
    if (key !== null && key === emailKey) return { id, hasAddress: true, moved: null, locale: kept.locale }
    return { id, hasAddress: false, moved: email && emailKey ? { address: email, key: emailKey } : null, locale: null }
  }
  const id = key === null ? undefined : await idByEmail(db, workspaceId, key)
  const found = id === undefined ? undefined : await store.findKept(db, workspaceId, id)
  return found && { id: found.id, hasAddress: true, moved: null, locale: found.locale }
}

/** The preferences of a contact; undefined: there is no such contact. */
export async function showPreferences(
  db: Db,
  workspaceId: string,
  contactId: string,
): Promise<Preferences | undefined> {
  const person = await store.findPerson(db, workspaceId, contactId)
  if (!person) return undefined
  const { confirmations, agreements } = await showEvidence(db, workspaceId, contactId)
  return {
    ...person,
    emails: findEmails(person),
    whatsapp: findWhatsApp(person),
    lists: await store.findChoices(db, workspaceId, contactId),
    frequency: store.toFrequency(person.weeklyLimit),
    // What another address confirmed is no consent of this one.
    confirmations: confirmations.filter(
      ({ confirmedAt, email }) => confirmedAt !== null && toKey(email) === person.emailKey,
    ),
    agreements,
    origins: await listOrigins(db, workspaceId, contactId),
  }
}

/** The same for who ends what they get, in the transaction `db`: no change of many contacts removes the contact until it ends. */
export async function holdLinkedContact(
  ...[db, workspaceId, of]: Parameters<typeof findLinkedContact>
): Promise<LinkedContact | undefined> {
  const found = await findLinkedContact(db, workspaceId, of)
  return found && (await store.holdContact(db, workspaceId, found.id)) ? found : undefined
}

const toKey = (email: string): string | null => {
  const read = normalizeEmail(email)
  return 'key' in read ? read.key : null
}

/** What a change ended, for who counts unsubscribes. */
export interface Ended {
  isUnsubscribed: boolean
  /** The ids of lists that were left. */
  left: string[]
}

interface Changing {
  db: Db
  config: Pick<Config, 'secretKey'>
  target: PreferenceTarget
  person: store.PersonRow
  visitor: Visitor
}

/**
 * Changes what a person wants, in the transaction `db`; each change is stored with its evidence. `wish` `unsubscribe` ends every
 * channel. Returns what it ended; undefined: the contact is gone. Throws Refusal 400 for a list the person does not see.
 */
export async function changePreferences(
  db: Db,
  config: Pick<Config, 'secretKey'>,
  target: PreferenceTarget,
  wish: Wish | 'unsubscribe',
  visitor: Visitor,
): Promise<Ended | undefined> {
  const { workspaceId, contactId } = target
  const person = await store.findPerson(db, workspaceId, contactId, true)
  if (!person) return undefined
  const changing = { db, config, target, person, visitor }
  const ended: Ended = { isUnsubscribed: false, left: [] }
  const changes =
    wish === 'unsubscribe'
      ? [...(await changeEmails(changing, false, ended)), ...(await changeWhatsApp(changing, false))]
      : await applyWish(changing, wish, ended)
  await store.insertChanges(db, workspaceId, target, visitor, changes)
  return ended
}

async function applyWish(changing: Changing, wish: Wish, ended: Ended): Promise<store.Change[]> {
  const { person } = changing
  const changes: store.Change[] = []
  const has = (channel: ChannelName) =>
    wish.channels && (wish.shownChannels ?? ['email', 'whatsapp']).includes(channel)
      ? wish.channels.includes(channel)
      : undefined
  const wantsEmails = has('email')
  if (wantsEmails !== undefined) changes.push(...(await changeEmails(changing, wantsEmails, ended)))
  const wantsWhatsApp = has('whatsapp')
  if (wantsWhatsApp !== undefined) changes.push(...(await changeWhatsApp(changing, wantsWhatsApp)))
  if (wantsEmails === false && findEmails(person) !== 'blocked') return changes
  if (wish.lists) changes.push(...(await changeLists(changing, wish.lists, wish.shownLists, ended)))
  if (wish.frequency) changes.push(...(await changeFrequency(changing, wish.frequency)))
  return changes
}

async function changeEmails(
  { db, target, person }: Changing,
  isWanted: boolean,
  ended: Ended,
): Promise<store.Change[]> {
  const { workspaceId, campaignId } = target
  const { email, emailKey } = person
  const now = findEmails(person)
  if (email === null || emailKey === null) return []
  // Unsubscribed or blocked by the workspace so far: from now on it is what the person said.
  if (!isWanted && now !== 'on') await unsubscribe(db, workspaceId, { address: email, key: emailKey, campaignId })
  if (isWanted === (now === 'on')) return []
  if (isWanted) {
    const isLifted = await liftUnsubscribes(db, workspaceId, 'email', [emailKey])
    return isLifted ? [{ kind: 'resubscribed' }] : []
  }
  if (now === 'off') return []
  await unsubscribe(db, workspaceId, { address: email, key: emailKey, campaignId })
  ended.isUnsubscribed = true
  return [{ kind: 'unsubscribed' }]
}

async function changeWhatsApp({ db, target, person }: Changing, isWanted: boolean): Promise<store.Change[]> {
  const now = findWhatsApp(person)
  const keys = [person.phone, person.bsuid].filter((key) => key !== null)
  // Also where the workspace unsubscribed or blocked them before, as with emails.
  if (!isWanted && person.hasConsent)
    for (const key of keys)
      await suppress(db, target.workspaceId, {
        ...{ channel: 'whatsapp', address: key, key, reason: 'unsubscribe', note: WORDING },
      })
  if (now === null || isWanted === (now === 'on')) return []
  if (isWanted) await liftUnsubscribes(db, target.workspaceId, 'whatsapp', keys)
  return [{ kind: isWanted ? 'whatsapp_on' : 'whatsapp_off' }]
}

async function changeLists(
  changing: Changing,
  wanted: string[],
  shown: string[] | undefined,
  ended: Ended,
): Promise<store.Change[]> {
  const { db, target, person } = changing
  const choices = await store.findChoices(db, target.workspaceId, target.contactId)
  if (wanted.some((id) => !choices.some((list) => list.id === id))) throw unknownId('lists')
  const seen = choices.filter(({ id }) => shown === undefined || shown.includes(id) || wanted.includes(id))
  const left = seen.filter(({ id, isOn }) => isOn && !wanted.includes(id))
  const joined = seen.filter(({ id, isOn }) => !isOn && wanted.includes(id))
  ended.left = left.map(({ id }) => id)
  if (left.length > 0) await leaveSomeLists(db, target.workspaceId, target.contactId, ended.left)
  if (joined.length > 0 && person.email !== null && person.emailKey !== null) await joinLists(changing, joined)
  return [
    ...left.map(({ name }) => ({ kind: 'list_left' as const, detail: name })),
    ...joined.map(({ name }) => ({ kind: 'list_joined' as const, detail: name })),
  ]
}

/** The link came by email to them: choosing a list confirms it, with the same evidence as any confirmation. */
async function joinLists({ db, config, target, person, visitor }: Changing, joined: store.ListChoice[]): Promise<void> {
  const { workspaceId, contactId } = target
  const email = person.email as string
  const emailKey = person.emailKey as string
  const listIds = joined.map(({ id }) => id)
  const given = { workspaceId, listIds, email, emailKey, fields: {}, source: 'preferences', isProven: true }
  await join(db, config, given, async () => true)
  for (const { name } of joined) await noteConsent(db, workspaceId, contactId, name)
  await insertConfirmed(db, workspaceId, {
    ...{ listIds, contactId, email, emailKey, wording: WORDING, visitor },
    source: 'preferences',
  })
}

async function changeFrequency(
  { db, target, person }: Changing,
  frequency: NonNullable<Wish['frequency']>,
): Promise<store.Change[]> {
  const { pausedUntil } = person
  const weeklyLimit = frequency === 'pause' ? person.weeklyLimit : frequency === 'weekly' ? 1 : null
  const isPaused = pausedUntil !== null
  if (isPaused === (frequency === 'pause') && weeklyLimit === person.weeklyLimit) return []
  const pauseDays = frequency === 'pause' ? PAUSE_DAYS : null
  await store.setFrequency(db, target.workspaceId, target.contactId, { pauseDays, weeklyLimit })
  const day = new Date(Date.now() + PAUSE_DAYS * DAY_MS).toISOString().slice(0, 10)
  if (frequency === 'pause') return [{ kind: 'paused', detail: day }]
  return [{ kind: frequency === 'weekly' ? 'weekly' : 'all_emails' }]
}
