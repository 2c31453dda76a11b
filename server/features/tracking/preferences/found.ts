import type { Tokens } from '#server/engine/index.ts'
import {
  findLinkedContact,
  findRemoved,
  findRequest,
  type PreferenceRequest,
  type Preferences,
  type PreferenceTarget,
  showPreferences,
} from '#server/features/contacts/index.ts'
import type { Services } from '#server/services.ts'
import { readToken } from '../engagement.ts'
import * as store from '../readers-store.ts'

/** Test emails have recipient 0. */
const TEST = '0'

/** What a link leads to. */
export type Found =
  | { kind: 'lost' | 'test' | 'gone' | 'expired' }
  | { kind: 'request'; request: PreferenceRequest }
  | { kind: 'contact'; target: PreferenceTarget; messageId: string; preferences: Preferences }
  | { kind: 'moved'; subscription: store.Subscription; contactId: string }
  | { kind: 'removed'; target: PreferenceTarget; person: NonNullable<Awaited<ReturnType<typeof findRemoved>>> }
/** Links with a page of their own. */
export type Linked = Extract<Found, { kind: 'contact' | 'request' | 'moved' | 'removed' }>

export const isLinked = (found: Found): found is Linked =>
  ['contact', 'request', 'moved', 'removed'].includes(found.kind)

export const toTarget = (found: Linked): { workspaceId: string; contactId: string } =>
  found.kind === 'request'
    ? found.request
    : found.kind === 'moved'
      ? { workspaceId: found.subscription.workspaceId, contactId: found.contactId }
      : found.target

/** Whose page it is, and the language stored with the contact. Who has an old email learns nothing that is stored now. */
export function toReader(found: Linked): { company: string; locale: string | null } {
  if (found.kind === 'moved') return { company: found.subscription.sender, locale: null }
  if (found.kind === 'removed') return found.person
  return found.kind === 'request' ? found.request.person : found.preferences
}

/** What the token of a link leads to. */
export async function findTarget(
  { db, config }: Pick<Services, 'db' | 'config'>,
  tokens: Tokens,
  token: string,
): Promise<Found> {
  const content = readToken(tokens, token, 'preferences')
  if (!content) {
    const request = await findRequest(db, config, token)
    if (request === undefined) return { kind: 'lost' }
    return typeof request === 'string' ? { kind: request } : { kind: 'request', request }
  }
  const messageId = content.recipientId
  if (messageId === TEST) return { kind: 'test' }
  const subscription = await store.findUnsubscribeTarget(db, messageId)
  if (!subscription) return { kind: 'gone' }
  const { workspaceId, campaignId } = subscription
  const contact = await findLinkedContact(db, workspaceId, subscription)
  if (contact && !contact.hasAddress) return { kind: 'moved', subscription, contactId: contact.id }
  const contactId = contact?.id ?? subscription.contactId
  const target = { workspaceId, contactId, campaignId }
  const preferences = contact && (await showPreferences(db, workspaceId, contactId))
  if (preferences) return { kind: 'contact', target, messageId, preferences }
  const person = await findRemoved(db, workspaceId, subscription)
  return person ? { kind: 'removed', target, person } : { kind: 'gone' }
}
