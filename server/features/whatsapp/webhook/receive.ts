import { parseJson } from '#server/adapters/whatsapp/problem.ts'
import type { Services } from '#server/services.ts'
import { openKeys } from '../numbers/keys.ts'
import { type AccountRow, findAccounts } from '../numbers/store.ts'
import { isObject, type Json, toObjects } from '../raw-json.ts'
import { claimedSignature, isSigned } from './signature.ts'
import { storeEvents } from './store.ts'

type WebhookServices = Pick<Services, 'db' | 'config' | 'queue' | 'log'>

/** One entry of a webhook: the business account and what changed. */
interface Entry {
  id: string
  changes: Json[]
}

/** What PostgreSQL can keep: no NUL, no half of a surrogate pair. */
function keepable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '').toWellFormed()
  if (Array.isArray(value)) return value.map(keepable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [keepable(key) as string, keepable(item)]))
}

function parseEntries(raw: Buffer): Entry[] {
  try {
    const body = parseJson(raw.toString('utf8'))
    if (!isObject(body) || body.object !== 'whatsapp_business_account') return []
    return toObjects(body.entry).map((entry) => ({ id: String(entry.id ?? ''), changes: toObjects(entry.changes) }))
  } catch {
    return []
  }
}

const findNumberId = (change: Json): string | undefined => {
  const metadata = isObject(change.value) ? change.value.metadata : undefined
  return isObject(metadata) && metadata.phone_number_id !== undefined ? String(metadata.phone_number_id) : undefined
}

/** Which changes concern an account: those of its number, and those of its business account as a whole. */
const changesFor = (account: AccountRow, entries: Entry[]): Json[] =>
  entries.flatMap(({ id, changes }) =>
    changes.filter((change) => {
      const number = findNumberId(change)
      return number === undefined ? id === account.businessAccountId : number === account.phoneNumberId
    }),
  )

/**
 * Takes in one webhook: finds whose it may be, checks the signature over its raw bytes with those secrets, and keeps what
 * concerns the accounts whose secret signed it. Nothing else is done here, so that the answer is out at once.
 * Returns false when nobody's secret signed it; a stranger learns no more than that.
 */
export async function receiveWebhook(services: WebhookServices, raw: Buffer, signature: unknown): Promise<boolean> {
  const claimed = claimedSignature(signature)
  if (!claimed) return false
  // Which secret it is can only be read from the body itself: until the signature is right it is trusted with nothing more.
  const entries = parseEntries(raw)
  const numbers = [...new Set(entries.flatMap(({ changes }) => changes.map(findNumberId)))].filter(
    (id) => id !== undefined,
  )
  const businesses = [...new Set(entries.map(({ id }) => id))]
  const candidates = await findAccounts(services.db, {
    businesses: businesses.slice(0, 50),
    numbers: numbers.slice(0, 50),
  })
  const verdicts = new Map<string, boolean>()
  const signed = candidates.filter((account) => {
    const secret = openKeys(services.config, account)?.appSecret
    if (secret === undefined) return false
    const verdict = verdicts.get(secret) ?? isSigned(raw, claimed, secret)
    verdicts.set(secret, verdict)
    return verdict
  })
  if (signed.length === 0) return false
  const events = signed
    .map((account) => ({ account, changes: changesFor(account, entries).map(keepable) as Json[] }))
    .filter(({ changes }) => changes.length > 0)
  await storeEvents(services, events)
  return true
}
