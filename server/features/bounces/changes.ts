import type { BounceMailbox, bounceSources } from '#contracts/bounces/bounces.ts'
import type { Checked } from '#contracts/endpoint.ts'
import { audit } from '#server/platform/audit.ts'
import { encrypt, randomToken } from '#server/platform/crypto.ts'
import { invalid, notFound } from '#server/platform/http/refusal.ts'
import {
  type BounceContext,
  checkKey,
  checkMailbox,
  labels,
  MAILBOX_FIELDS,
  openSecret,
  readKey,
  secretContext,
  showSource,
} from './bounces.ts'
import { isWebhook, providers } from './providers/index.ts'
import * as store from './store.ts'

type SourceChange = Checked<typeof bounceSources.update>['body']

/** Changes a source: its name, what its service signs with, or its mailbox. Throws Refusal 400 or 404. */
export async function changeSource(context: BounceContext, workspaceId: string, id: string, given: SourceChange) {
  const { db, config } = context
  const row = await store.sourceById(db, workspaceId, id)
  if (!row) throw notFound('Bounce source')
  const mailbox = await changeMailbox(context, row, given)
  const secret = readSecret(context, row, given)
  await db.transaction().execute(async (db) => {
    if (!(await store.sourceById(db, workspaceId, id, { lock: true }))) throw notFound('Bounce source')
    const sealed = secret && encrypt(config.secretKey, secret, secretContext(id))
    await store.updateSource(db, workspaceId, id, { name: given.name, sealed })
    if (mailbox) await store.setMailbox(db, workspaceId, id, mailbox)
    const changed = Object.keys(given).sort()
    if (changed.length > 0)
      await audit(db, {
        action: 'bounce_source_changed',
        ...{ subject: given.name ?? row.name, workspaceId, details: { changed } },
      })
  })
  return { ...(await showSource(context, workspaceId, id)), secret: given.newSecret ? (secret ?? null) : null }
}

/** What replaces the secret of a source; undefined: it stays. Throws Refusal 400. */
function readSecret(context: BounceContext, { kind }: store.SourceRow, given: SourceChange): string | undefined {
  const key = readKey(kind, given)
  if (given.newSecret) {
    if (!isWebhook(kind) || !providers[kind].makesSecret)
      throw invalid('newSecret', `is not for this kind: ${labels[kind]} has no secret that is made here`)
    if (key !== undefined) throw invalid('key', 'is made here for this kind: omit it')
    return randomToken()
  }
  if (kind === 'imap') {
    if (key !== undefined) throw invalid('key', 'is not needed for this kind: omit it')
    return given.password
  }
  if (key !== undefined) checkKey(context, kind, key)
  return key
}

/** The mailbox as it is after a change; undefined: it stays. A password is sent only to the server it was given for. Throws Refusal 400. */
async function changeMailbox(
  { config }: BounceContext,
  row: store.SourceRow,
  given: SourceChange,
): Promise<BounceMailbox | undefined> {
  const change = Object.fromEntries(
    MAILBOX_FIELDS.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field]]])),
  )
  if (Object.keys(change).length === 0) return undefined
  if (row.kind !== 'imap') return checkMailbox(config, { kind: row.kind, ...change })
  const { cursor: _, ...known } = store.readMailbox(row)
  const moves = (['host', 'port', 'secure', 'user'] as const).some(
    (field) => given[field] !== undefined && given[field] !== known[field],
  )
  if (moves && given.password === undefined) throw invalid('password', 'is required for another server or user')
  const password = given.password ?? openSecret(config, row)
  return checkMailbox(config, { kind: 'imap', ...known, ...change, password })
}
