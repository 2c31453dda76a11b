/** What a person asks for on their preference page and gets by a link in an email: their data, and to be erased. */
import { z } from 'zod'
import type { Config } from '#server/platform/config.ts'
import { hashToken, seal, unseal } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound, tooMany } from '#server/platform/http/refusal.ts'
import { job } from '#server/platform/queue.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { normalizeEmail } from '../address.ts'
import { findAside } from '../bulk/removed-store.ts'
import { isFreeOfAll } from '../confirmations/asking.ts'
import { plainName } from '../confirmations/confirmation-email.ts'
import type { Visitor } from '../confirmations/confirmations-store.ts'
import { fillText, findTexts } from './languages/languages.ts'
import type { PreferenceTarget } from './preferences.ts'
import { findKept, findPerson, insertChanges, type PersonRow } from './preferences-store.ts'

const PURPOSE = 'preference request'
/** How long the link of the email works. Seconds. */
const LIFETIME = 86_400
const EMAILS_A_DAY = 3

export type RequestKind = 'download' | 'erase'

const Asked = z.object({
  workspaceId: z.string(),
  contactId: z.string(),
  kind: z.enum(['download', 'erase']),
  language: z.string(),
})
/** Without an address: the queue stores its jobs for days. */
const emailJob = job('contacts.preference-email', Asked, { retries: 8 })

/** Names an address in a link without holding it: once the contact has another one, the link does not work any more. */
const toMark = ({ secretKey }: Pick<Config, 'secretKey'>, emailKey: string) =>
  hashToken(secretKey + emailKey).slice(0, 16)

type Asker = Pick<PersonRow, 'email' | 'emailKey' | 'company' | 'locale'>

/** Who asks. Somebody who was removed and may still be put back is there to be erased alone. */
async function findAsker(
  db: Db,
  workspaceId: string,
  contactId: string,
  kind: RequestKind,
): Promise<{ person: Asker | undefined; isRemoved: boolean }> {
  const there = await findPerson(db, workspaceId, contactId)
  if (there || kind === 'download') return { person: there, isRemoved: false }
  return { person: await findAside(db, workspaceId, contactId), isRemoved: true }
}

/** Somebody who has an email to the address with which they were removed, and may still be put back. */
export async function findRemoved(
  db: Db,
  workspaceId: string,
  { contactId, address }: { contactId: string; address: string },
): Promise<Asker | undefined> {
  const removed = await findAside(db, workspaceId, contactId)
  const read = normalizeEmail(address)
  return removed && 'key' in read && read.key === removed.emailKey ? removed : undefined
}

/** Queues the email with a link to the address of the contact, in the transaction `db`. Throws Refusal 404 and 429. */
export async function askByEmail(
  { queue, config }: Pick<Services, 'queue' | 'config'>,
  db: Db,
  target: PreferenceTarget,
  { kind, language, visitor }: { kind: RequestKind; language: string; visitor: Visitor },
): Promise<void> {
  const { workspaceId, contactId } = target
  const { person, isRemoved } = await findAsker(db, workspaceId, contactId, kind)
  if (!person?.emailKey) throw notFound('Contact')
  const own = await throttle(db, `preference-email:${workspaceId}:${contactId}`, EMAILS_A_DAY, LIFETIME)
  if (!own.ok || !(await isFreeOfAll(db, { config }, person.emailKey)))
    throw tooMany('Too many links were emailed. Use the last one, or wait a day.', own.ok ? 3_600 : own.wait)
  const change = kind === 'erase' ? 'erasure_requested' : 'data_requested'
  if (!isRemoved) await insertChanges(db, workspaceId, target, visitor, [{ kind: change }])
  await queue.enqueue(emailJob, { workspaceId, contactId, kind, language }, { db })
}

export async function handlePreferenceEmails({ db, queue, mailer, config }: Services): Promise<void> {
  await queue.handle(emailJob, async ({ workspaceId, contactId, kind, language }) => {
    const { person } = await findAsker(db, workspaceId, contactId, kind)
    if (!person?.email || !person.emailKey) return
    const mark = toMark(config, person.emailKey)
    // The token is made here, right before it leaves.
    const at = Math.floor(Date.now() / 1000)
    const token = seal(config.secretKey, PURPOSE, `${kind} ${workspaceId} ${contactId} ${at} ${mark}`)
    const texts = findTexts(language)[kind]
    // The workspace wrote its name, and the email leaves from the address of the installation.
    const values = { sender: plainName(person.company, '-'), link: `${config.publicUrl}/p/${token}` }
    const body = fillText(texts.body, values)
    await mailer.send({ to: person.email, subject: fillText(texts.subject, values), text: `${body}\n` })
  })
}

/** What the link of such an email leads to. */
export interface PreferenceRequest {
  kind: RequestKind
  workspaceId: string
  contactId: string
  person: Asker
}

/**
 * Finds what the link of an email asks for. undefined: it is not one of ours; `expired`; `gone`: there is no such contact any
 * more, or it has another address.
 */
export async function findRequest(
  db: Db,
  config: Pick<Config, 'secretKey'>,
  token: string,
): Promise<PreferenceRequest | 'expired' | 'gone' | undefined> {
  const text = unseal(config.secretKey, PURPOSE, token)
  const [kind, workspaceId, id, at, mark] = text?.split(' ') ?? []
  if (!workspaceId || !id || (kind !== 'download' && kind !== 'erase')) return undefined
  if (Date.now() / 1000 - Number(at) > LIFETIME) return 'expired'
  const contactId = (await findKept(db, workspaceId, id))?.id ?? id
  const { person } = await findAsker(db, workspaceId, contactId, kind)
  if (!person?.emailKey || toMark(config, person.emailKey) !== mark) return 'gone'
  return { kind, workspaceId, contactId, person }
}
