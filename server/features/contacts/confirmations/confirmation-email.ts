import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { CompileError, type Draft, type Message, type Plan } from '#server/engine/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import {
  buildDefaultConfirmation,
  compileBounded,
  messageBounded,
  templateById,
} from '#server/features/templates/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import { writeLink } from './confirmation-link.ts'
import type { ConfirmationRow } from './confirmations-store.ts'
import type { Joining } from './joining-store.ts'

const MAX_NAME = 60
/** Of a longer name the rest is not looked at. */
const MAX_READ = 500
// What mail programs turn into links or numbers to call, in every script's dots: nobody writes to strangers through us.
const LINK = /:\/\/|@|[\p{L}\p{N}-][.\u2024\u3002\uff0e\uff61]\p{L}{2}/u
const NUMBER = /\+?\p{N}(?:[\s()./-]*\p{N}){6,}/gu

/**
 * A name that somebody typed, fit for an email to somebody who may not have asked for it: one line of at most 60 characters,
 * without links, addresses and phone numbers. `fallback` where nothing is left.
 */
export function plainName(name: string, fallback: string): string {
  const words = name
    .slice(0, MAX_READ)
    .normalize('NFKC')
    .split(/[\p{C}\p{Z}\s"<>]/u)
    .filter((word) => word !== '' && !LINK.test(word))
  const line = words.join(' ').replace(NUMBER, ' ').replace(/ {2,}/g, ' ').trim()
  return [...line].slice(0, MAX_NAME).join('').trim() || fallback
}

/** Compiled emails by a hash of their drafts: of thousands of messages all but the first only fill it in. */
const plans = new LRUCache<string, Plan>({ max: 100 })

async function compileCached(workspaceId: string, draft: Draft): Promise<Plan> {
  const key = createHash('sha256').update(JSON.stringify(draft)).digest('base64')
  const plan = plans.get(key) ?? (await compileBounded({ workspaceId }, draft))
  plans.set(key, plan)
  return plan
}

function findOwner(db: Db, workspaceId: string) {
  return db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['name', 'company', 'postalAddress'])
    .executeTakeFirstOrThrow()
}

/** The plan of a workspace's confirmation email: of its own template, or of the default one where that cannot be used. */
async function buildPlan(
  { db, config }: Pick<Services, 'db' | 'config'>,
  workspaceId: string,
  account: SendingAccount,
  templateId: string | null,
): Promise<Plan> {
  const { name, company, postalAddress } = await findOwner(db, workspaceId)
  const fallback = await buildDefaultConfirmation(db, workspaceId, company || name)
  const draft: Draft = {
    ...fallback,
    from: { name: account.fromName || company || null, address: account.fromEmail },
    trackOpens: false,
    trackClicks: false,
    publicUrl: config.publicUrl,
    footer: { company, postalAddress },
    listId: 'confirmation',
    feedbackId: 'confirmation',
    purpose: 'confirmation',
  }
  const template = templateId === null ? undefined : await templateById(db, workspaceId, templateId)
  if (!template) return compileCached(workspaceId, draft)
  const { subject, html, mjml, text } = template
  const own = { ...draft, subject: subject || fallback.subject, html, mjml, text }
  try {
    return await compileCached(workspaceId, own)
  } catch (error) {
    // Edited since it was chosen: people are asked all the same.
    if (!(error instanceof CompileError)) throw error
    return compileCached(workspaceId, draft)
  }
}

/** Whether a template can be a confirmation email; undefined, or what is wrong with it. */
export async function findTemplateProblem(
  { db, config }: Pick<Services, 'db' | 'config'>,
  workspaceId: string,
  templateId: string,
): Promise<string | undefined> {
  const template = await templateById(db, workspaceId, templateId)
  if (!template) return 'does not exist in this workspace'
  const { subject, html, mjml, text } = template
  const draft: Draft = {
    ...{ subject: subject || 'x', html, mjml, text, from: { address: 'sender@example.com' } },
    ...{ trackOpens: false, trackClicks: false, publicUrl: config.publicUrl, footer: {} },
    ...{ listId: 'confirmation', feedbackId: 'confirmation', purpose: 'confirmation' },
  }
  try {
    await compileCached(workspaceId, draft)
    return undefined
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    return `cannot be a confirmation email: ${error.message}`
  }
}

/** The confirmation email of a request. Rejects with Refusal 409 or 429 where it cannot be made now. */
export async function buildMessage(
  services: Pick<Services, 'db' | 'config'>,
  account: SendingAccount,
  row: ConfirmationRow,
  { lists, templateId }: Joining,
): Promise<Message> {
  const { config } = services
  const { workspaceId, id, email, fields, mails, tries } = row
  const plan = await buildPlan(services, workspaceId, account, templateId)
  const token = writeLink(config, row)
  const key = deriveKey(config.secretKey, 'message tokens')
  const recipient = {
    id: '0',
    email,
    // A person who fills in a form can name anybody's address, so a name must not be a message to them.
    name: fields.name ? plainName(fields.name, '') : null,
    confirmation: {
      url: `${config.publicUrl}/c/${token}`,
      lists: plainName(lists.join(', '), 'our emails'),
      messageId: `c-${id}-${mails}-${tries}-${token.slice(-12)}`,
    },
  }
  return messageBounded({ workspaceId }, plan, recipient, key)
}
