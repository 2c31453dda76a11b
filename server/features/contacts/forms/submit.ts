import type { FastifyRequest } from 'fastify'
import { roomForContacts } from '#server/features/billing/index.ts'
import { seal, unseal } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { throttleVisitor } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { normalizeEmail } from '../address.ts'
import { askToJoin } from '../confirmations/asking.ts'
import { insertConfirmed, type TypedFields } from '../confirmations/confirmations-store.ts'
import { isBarred, join } from '../confirmations/joining-store.ts'
import { readVisitor } from '../confirmations/visitor.ts'
import { fieldRules } from '../fields/fields-store.ts'
import { describeFault, readFieldValue } from '../fields/values.ts'
import { HONEYPOT } from './embed.ts'
import * as store from './forms-store.ts'
import { PROOF, readProof, spendProof } from './proof.ts'

const HOUR = 3_600
/** Submissions of one form in an hour, of one visitor and of all. */
const AN_HOUR = { visitor: 20, everybody: 1_000 }
/** Nobody fills in a form in less. Seconds. */
const MIN_AGE = 2
/** A form that stays open for longer is opened again. Seconds. */
const MAX_AGE = 86_400
const MAX_NAME = 200
const MAX_VALUE = 1_000
const PURPOSE = 'form opened'

/** The time a form was opened, signed. `isFilled`: it is shown once more, with what was typed; that took its time. */
export const writeOpened = (secretKey: string, { id }: store.FormRow, isFilled = false): string =>
  seal(secretKey, PURPOSE, `${id} ${Math.floor(Date.now() / 1000) - (isFilled ? MIN_AGE + 1 : 0)}`)

const refuseOpened = (text: string, message: string) =>
  new Refusal(400, 'invalid', text, { details: [{ field: 'opened', message }] })

/** Refuses a form of our page or script that was sent too soon, too late, or is not ours. HTML on other sites has no such word. */
function checkOpened(secretKey: string, { id }: store.FormRow, word: string | undefined): void {
  if (word === undefined || word === '') return
  const [form, at] = unseal(secretKey, PURPOSE, word)?.split(' ') ?? []
  const age = Date.now() / 1000 - Number(at)
  if (form !== id || Number.isNaN(age))
    throw refuseOpened('The form cannot be sent like this. Open the page again.', 'is not from this form')
  if (age < MIN_AGE)
    throw refuseOpened('That was quick. Wait a moment, then send the form again.', 'was only a moment ago')
  if (age > MAX_AGE)
    throw refuseOpened('The page was open for more than a day. Open it again.', 'was more than a day ago')
}

/** The values of a submission as text, by name. Throws Refusal 400 naming what is none. */
export function readValues(body: unknown): Record<string, string> {
  // Without a prototype: a field may be called constructor.
  const values: Record<string, string> = Object.create(null)
  if (typeof body === 'string') return Object.assign(values, Object.fromEntries(new URLSearchParams(body)))
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('body', 'is required: send a form or JSON')
  for (const [name, value] of Object.entries(body)) {
    if (value === null || value === undefined) continue
    if (name === 'attributes' && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) values[`attributes.${key}`] = toText(`attributes.${key}`, inner)
    else values[name] = toText(name, value)
  }
  return values
}

function toText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalid(name, 'is not text')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what neither a name nor the database can hold
const UNFIT = /[\u0000-\u001f\u007f\u2028\u2029]+/g
const clean = (text: string) => text.replace(UNFIT, ' ').toWellFormed().trim()

/** What was typed into the fields of a form. Throws Refusal 400 naming the field. */
async function readFields(db: Db, form: store.FormRow, values: Record<string, string>): Promise<TypedFields> {
  const fields: TypedFields = {}
  const attributes: NonNullable<TypedFields['attributes']> = {}
  const names = form.fields.map(({ name }) => name.replace(/^attributes\./, ''))
  const rules = await fieldRules(db, form.workspaceId, names)
  for (const { name, required } of form.fields) {
    const key = name.replace(/^attributes\./, '')
    const text = clean(values[name] ?? values[key] ?? '')
    if (text === '' && required) throw invalid(name, 'is required')
    if (text === '') continue
    const most = name.startsWith('attributes.') ? MAX_VALUE : MAX_NAME
    if (text.length > most) throw invalid(name, `is longer than ${most.toLocaleString('en')} characters`)
    const rule = name.startsWith('attributes.') ? rules.get(key) : undefined
    const value = rule ? readFieldValue(rule, text) : text
    if (value === undefined && rule) throw invalid(name, describeFault(rule))
    if (name === 'name') fields.name = text
    else if (value !== undefined && value !== null) attributes[key] = value
  }
  const parts = [attributes.first_name, attributes.last_name].filter(Boolean).join(' ')
  if (fields.name === undefined && parts !== '') fields.name = parts.slice(0, MAX_NAME)
  return { ...fields, attributes, tags: form.tagIds }
}

/**
 * Takes a submission: people of a double opt-in form are asked by email, others are subscribed. Nothing tells the sender
 * whether the address was known. Returns whether an email asks to confirm. Throws Refusal 400, 429 and 503.
 */
export async function submitForm(
  services: Pick<Services, 'db' | 'config'>,
  form: store.FormRow,
  values: Record<string, string>,
  request: FastifyRequest,
): Promise<{ isDouble: boolean }> {
  const { db, config } = services
  const visitor = readVisitor(request)
  const lists = await store.findLists(db, form.workspaceId, form.listIds)
  if (lists.ids.length === 0) throw new Refusal(503, 'form_closed', 'This form takes no subscriptions at the moment.')
  const isDouble = form.optin === 'double' || lists.isDouble
  // A program filled in what people do not see: it learns nothing.
  if (values[HONEYPOT]) return { isDouble }
  checkOpened(config.secretKey, form, values.opened)
  const proof = form.proofOfWork ? await readProof(config.secretKey, form, values[PROOF]) : undefined
  // A form that was only sent too soon counts for nothing.
  const allowed = await throttleVisitor(db, config.secretKey, `form:${form.id}`, visitor.ip, AN_HOUR, HOUR)
  if (!allowed.ok)
    throw tooMany('This form was sent many times in the last hour. Wait a while, then try again.', allowed.wait)
  const read = normalizeEmail(clean(values.email ?? '').slice(0, 1_000))
  if (!values.email?.trim()) throw invalid('email', 'is required')
  if ('reason' in read) throw invalid('email', 'is not a valid email address')
  const fields = await readFields(db, form, values)
  const joining = {
    workspaceId: form.workspaceId,
    listIds: lists.ids,
    fields,
    source: 'form' as const,
    formId: form.id,
    wording: form.consentWording,
    wordingVersion: form.wordingVersion,
    visitor,
  }
  // Last, so that somebody who mistyped an address has not spent it.
  if (proof !== undefined) await spendProof(db, proof)
  // Somebody who left, complained or was erased comes back by their own confirmation alone.
  const asks = isDouble || (await isBarred(db, config, form.workspaceId, lists.ids, read.key))
  if (asks) await askToJoin(services, joining, read.address)
  else await subscribe(services, form, { ...joining, email: read.address, emailKey: read.key })
  await store.countSubmission(db, form)
  return { isDouble }
}

type Subscription = Omit<Parameters<typeof insertConfirmed>[2], 'contactId'> & { workspaceId: string }

/** Subscribes somebody at once. What a stranger may have typed changes nothing of a contact that is there. */
async function subscribe({ db, config }: Pick<Services, 'db' | 'config'>, form: store.FormRow, given: Subscription) {
  const { workspaceId, ...confirmation } = given
  await db.transaction().execute(async (db) => {
    const { listIds, email, emailKey, fields = {} } = confirmation
    const contactId = await join(
      db,
      config,
      { workspaceId, listIds, email, emailKey, fields, source: 'form', isProven: false },
      async (db, id) => ((await roomForContacts(db, id)) ?? 1) > 0,
    )
    if (contactId === undefined)
      throw new Refusal(503, 'form_closed', 'This form takes no subscriptions at the moment. Nothing was stored.')
    await insertConfirmed(db, workspaceId, { ...confirmation, contactId })
    await store.countConfirmation(db, workspaceId, form.id)
  })
}
