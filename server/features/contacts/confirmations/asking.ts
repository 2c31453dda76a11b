import { hashToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { normalizeEmail } from '../address.ts'
import { badAddress } from '../contacts.ts'
import { showList } from '../lists/lists.ts'
import { insertConfirmation, type NewConfirmation, type Visitor } from './confirmations-store.ts'
import { isOpen } from './joining-store.ts'
import * as members from './members-store.ts'

const HOUR = 3_600
const DAY = 86_400
/** Requests one address may make for the same lists in an hour. */
const JOINS_AN_HOUR = 3
/** Emails to one address of all workspaces together. */
const MAX_OF_ALL = { hour: 5, day: 10 }
/** Emails to one address about all lists of a workspace, reminders included: made anew, a list asks nobody again. */
const MAX_OF_WORKSPACE = 3
const WORKSPACE_SECONDS = 7 * DAY
const MAX_ASKS = 3
const DAYS_BETWEEN_ASKS = 7

type Limited = Pick<Services, 'config'>

/** What a person reads on the page behind the link, and agrees to there. */
export const CONFIRM_WORDING = 'You will receive it once you confirm. You can unsubscribe at any time.'

/** Whether an address may get another email that a stranger can cause, from whomever; counts it. */
export async function isFreeOfAll(db: Db, { config }: Limited, emailKey: string): Promise<boolean> {
  // Hashed: a limit is no reason to store an address.
  const key = hashToken(config.secretKey + emailKey)
  return (
    (await throttle(db, `confirmation:${key}`, MAX_OF_ALL.hour, HOUR)).ok &&
    (await throttle(db, `confirmation-day:${key}`, MAX_OF_ALL.day, DAY)).ok
  )
}

/** Whether a workspace may send an address an email that the person did not ask for, a reminder too; counts it. */
export async function mayAsk(db: Db, services: Limited, workspaceId: string, emailKey: string): Promise<boolean> {
  const key = `confirmation:${workspaceId}:${hashToken(services.config.secretKey + emailKey)}`
  return (
    (await throttle(db, key, MAX_OF_WORKSPACE, WORKSPACE_SECONDS)).ok && (await isFreeOfAll(db, services, emailKey))
  )
}

/** What somebody asks for by a public form. */
export interface JoinRequest extends Omit<NewConfirmation, 'contactId' | 'email' | 'emailKey'> {
  workspaceId: string
  visitor: Visitor
}

/**
 * Somebody asks to be on double opt-in lists and gets an email with a link; they are no contact until they confirm. Nothing
 * tells the asker whether the address was known. A person who is confirmed already, or had many of these emails, gets none.
 * Throws Refusal 400 naming `email`.
 */
export async function askToJoin(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { workspaceId, ...request }: JoinRequest,
  address: string,
): Promise<void> {
  const read = normalizeEmail(address)
  if ('reason' in read) throw badAddress('email', read.reason)
  await db.transaction().execute(async (db) => {
    if (!(await isOpen(db, config, workspaceId, request.listIds, read.key))) return
    const lists = request.listIds.toSorted().join()
    const limit = `join:${lists}:${hashToken(config.secretKey + read.key)}`
    if (!(await throttle(db, limit, JOINS_AN_HOUR, HOUR)).ok) return
    if (!(await isFreeOfAll(db, { config }, read.key))) return
    await insertConfirmation(db, workspaceId, {
      ...request,
      contactId: null,
      email: read.address,
      emailKey: read.key,
    })
  })
}

/** Makes requests of the next members who are to be asked; what is beyond waits in their table. */
export async function askMembers(services: Services, workspaceId: string, limit: number): Promise<void> {
  await services.db.transaction().execute(async (db) => {
    for (const member of await members.membersToAsk(db, workspaceId, limit)) {
      const { email, emailKey, listId, contactId } = member
      const isAsked = email !== null && emailKey !== null && (await mayAsk(db, services, workspaceId, emailKey))
      if (isAsked) {
        const request = { listIds: [listId], contactId, email, emailKey, wording: CONFIRM_WORDING }
        await insertConfirmation(db, workspaceId, { ...request, source: 'member' })
      }
      await members.noteAsked(db, workspaceId, member, isAsked)
    }
  })
}

/** Queues the members of a double opt-in list who have not confirmed; returns how many. Throws Refusal 404 or 409. */
export async function askMembersAgain(db: Db, workspaceId: string, listId: string): Promise<number> {
  const list = await showList(db, workspaceId, listId)
  if (list.optin !== 'double') throw conflict('single_opt_in', 'Members of this list do not need to confirm.')
  return members.askAgain(db, workspaceId, listId, MAX_ASKS, DAYS_BETWEEN_ASKS)
}
