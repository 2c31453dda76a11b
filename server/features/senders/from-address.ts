import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { addressKey, parseAddress } from '#contracts/email-address.ts'
import { audit } from '#server/platform/audit.ts'
import type { Config } from '#server/platform/config.ts'
import { seal, unseal } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { mountLinkPage, sendLost, sendPage } from '#server/platform/http/pages/small-pages.ts'
import { tooMany } from '#server/platform/http/refusal.ts'
import { job } from '#server/platform/queue.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { defaultFrom } from './credentials.ts'
import { findSigningDomain } from './domains/store.ts'

type Rules = { db: Db; config: Pick<Config, 'mailFrom'> }

/** Who would write from which address, and over whose server. */
interface Claim {
  workspaceId: string
  isDefault: boolean
  fromEmail: string
}

const PURPOSE = 'confirm a from address'
const VALID_DAYS = 7
const EMAILS_AN_HOUR = 5
const EMAILS_A_DAY = 20

const addressDomain = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** The form addresses are compared in. undefined: it is none. */
function toAddressKey(address: string): string | undefined {
  const parsed = parseAddress(address)
  return parsed ? addressKey(parsed) : undefined
}

/**
 * Whether a sender may write from its address. Over a mail server of its own that server decides. Over the installation's
 * server it may use the domain of MAIL_FROM, an address of an account of the workspace, one whose mailbox confirmed it, and
 * those of a domain whose DNS has the workspace's own DKIM key.
 * An admin's workspace may use any: who runs the server is responsible for it.
 */
export async function isFromAllowed({ db, config }: Rules, claim: Claim): Promise<boolean> {
  if (!claim.isDefault || claim.fromEmail === '') return true
  const key = toAddressKey(claim.fromEmail)
  if (key === undefined) return false
  if (addressDomain(key) === addressDomain(defaultFrom(config.mailFrom))) return true
  if ((await findSigningDomain(db, claim.workspaceId, addressDomain(key))) !== undefined) return true
  const { rows } = await sql`
    select from from_addresses where workspace_id = ${claim.workspaceId} and address_key = ${key}
    union all
    select from users where workspace_id = ${claim.workspaceId}
      and (role = 'admin' or (email_verified_at is not null and email_key = ${key}))
    limit 1`.execute(db)
  return rows.length > 0
}

/** What is said of an address that nobody confirmed yet. */
export const unconfirmedText = (address: string) =>
  `${address} is not confirmed yet. Open the link in the email we sent there, or send from the address of your own account.`

const Confirmation = z.object({ to: z.string(), by: z.string(), token: z.string() })
const confirmationJob = job('senders.confirmation', Confirmation, { retries: 8 })

/**
 * Sends the link that confirms an address, to that address. Throws Refusal 429 where an address, or a workspace, had
 * many: the mailbox belongs to somebody who did not ask.
 */
export async function askForConfirmation(
  { queue, config }: Pick<Services, 'queue' | 'config'>,
  db: Db,
  workspaceId: string,
  address: string,
): Promise<void> {
  const key = toAddressKey(address) ?? ''
  const limits = [
    await throttle(db, `from-address:${key}`, EMAILS_AN_HOUR, 3_600),
    await throttle(db, `from-addresses:${workspaceId}`, EMAILS_A_DAY, 86_400),
  ]
  const wait = Math.max(0, ...limits.map((limit) => (limit.ok ? 0 : limit.wait)))
  if (wait > 0)
    throw tooMany('Too many emails were sent to confirm addresses. Wait a few minutes, then try again.', wait)
  const owner = await findOwnerAddress(db, workspaceId)
  const ends = Math.floor(Date.now() / 1000) + VALID_DAYS * 86_400
  const token = seal(config.secretKey, PURPOSE, `${workspaceId} ${ends} ${key}`)
  await queue.enqueue(confirmationJob, { to: address, by: owner ?? '', token }, { db })
}

export async function handleConfirmations({ queue, mailer, config }: Services): Promise<void> {
  await queue.handle(confirmationJob, async ({ to, by, token }) => {
    await mailer.send({
      to,
      subject: 'Confirm that you want to send from this address',
      text: `Hi,\n\n${by} wants to send email from ${to} with Postlark at ${config.publicUrl}. If that is you, or you allow it, confirm the address:\n\n${config.publicUrl}/confirm-address/${token}\n\nThe link works for ${VALID_DAYS} days. If you do not know about this, ignore this email: without the link no email is sent from your address.\n`,
    })
  })
}

/** The page behind the link. */
export function mountConfirmation(app: FastifyInstance, { db, config }: Services): void {
  const read = (request: FastifyRequest) => {
    const text = unseal(config.secretKey, PURPOSE, (request.params as { token: string }).token)
    const [workspaceId, ends, key] = text?.split(' ') ?? []
    return workspaceId && key ? { workspaceId, key, isOver: Number(ends) * 1000 < Date.now() } : undefined
  }
  const sendExpired = (reply: FastifyReply) =>
    sendPage(reply, 410, 'This link has expired', '<p>Request a new one on the Senders page.</p>')
  mountLinkPage(app, '/confirm-address/:token', {
    show: async (request, reply) => {
      const found = read(request)
      if (found?.isOver) return sendExpired(reply)
      const owner = found && (await findOwnerAddress(db, found.workspaceId))
      if (!found || !owner) return sendLost(reply)
      return sendPage(
        reply,
        200,
        'Confirm your address',
        `<p><strong>${escapeUTF8(owner)}</strong> wants to send email from <strong>${escapeUTF8(found.key)}</strong>. Confirm only if you know them and allow it.</p><form method="post"><button type="submit">Confirm address</button></form>`,
      )
    },
    act: async (request, reply) => {
      const found = read(request)
      if (found?.isOver) return sendExpired(reply)
      if (!found || !(await confirm(db, found.workspaceId, found.key))) return sendLost(reply)
      return sendPage(
        reply,
        200,
        'The address is confirmed',
        `<p>Campaigns can now be sent from <strong>${escapeUTF8(found.key)}</strong>.</p>`,
      )
    },
  })
}

/** The address of a workspace's first user. */
async function findOwnerAddress(db: Db, workspaceId: string): Promise<string | undefined> {
  const owner = await db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .select('email')
    .orderBy('id')
    .executeTakeFirst()
  return owner?.email
}

/** Returns whether the workspace is still there. */
async function confirm(db: Db, workspaceId: string, key: string): Promise<boolean> {
  const { rows } = await sql`
    insert into from_addresses (workspace_id, address_key) select id, ${key} from workspaces where id = ${workspaceId}
    on conflict (workspace_id, address_key) do update set confirmed_at = from_addresses.confirmed_at
    returning (xmax = 0) as is_new`.execute(db)
  if ((rows[0] as { isNew?: boolean } | undefined)?.isNew)
    await audit(db, { action: 'sender_changed', subject: key, workspaceId, details: { changed: ['fromEmail'] } })
  return rows.length > 0
}
