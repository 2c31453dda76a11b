import { type Address, addressKey } from '#contracts/email-address.ts'
import { type AttributeValue, parseAddress } from '#server/engine/index.ts'
import { toDomainKey } from '#server/features/contacts/index.ts'
import {
  findLinkBase,
  isFromAllowed,
  type SendingAccount,
  sendingAccount,
  sendTestMessage,
  unconfirmedText,
} from '#server/features/senders/index.ts'
import { testMessageBounded } from '#server/features/templates/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { Trial } from '../channel.ts'
import { buildDraft } from './draft.ts'
import { readMergedRows } from './merged-rows.ts'

/** What a test sends: the campaign or follow-up with its text, and its files as MIME parts. */
export interface Tested {
  row: CampaignRow
  attachments: string
}

/** The account a test leaves through: the one asked for, else the campaign's first. */
async function accountFor(services: Services, row: CampaignRow, senderId: string | undefined) {
  const own = row.senderIds.length > 0 ? row.senderIds : [row.senderId]
  if (senderId && !own.includes(senderId)) throw invalid('senderId', 'is not a sender of this campaign')
  const chosen = senderId ?? row.senderId
  const account = chosen ? await sendingAccount(services, services.db, row.workspaceId, chosen) : undefined
  if (!account) throw conflict('no_sender', 'The campaign has no sender that can send.')
  return account
}

/** The first message of a campaign: the only one where there are no follow-ups. Throws Refusal 400. */
async function firstMessage(row: CampaignRow, step: number): Promise<Tested> {
  if (step !== 1) throw invalid('step', 'does not exist in this campaign')
  return { row, attachments: '' }
}

/** Sends one real message to one address, marked as a test; it counts in limits and in no report. Throws Refusal 400, 402, 409 and 429. */
export async function testEmail(
  services: Services,
  caller: Caller,
  row: CampaignRow,
  { to, step, senderId }: Trial,
  findMessage = firstMessage,
): Promise<{ ok: boolean; message: string; response: string }> {
  const address = parseAddress(to)
  if (!address) throw invalid('to', 'is not an email address')
  const account = await accountFor(services, row, senderId)
  if (!(await isFromAllowed(services, { ...account, workspaceId: row.workspaceId })))
    throw conflict('from_unconfirmed', unconfirmedText(account.fromEmail))
  await refuseSuppressed(services.db, caller.workspaceId, address)
  const tested = await findMessage(row, step)
  const base = await findLinkBase(services, row.workspaceId, account.fromEmail)
  const draft = await buildDraft(services.db, tested.row, account, base ?? services.config.publicUrl, { test: true })
  if (!draft.html && !draft.mjml)
    throw conflict('not_ready', 'There is no content. Choose a template or write the email.')
  const reader = await firstOfRows(services, row)
  const message = await testMessageBounded(
    { workspaceId: caller.workspaceId },
    draft,
    {
      id: '0',
      email: address.address,
      name: reader?.name ?? 'Robin Example',
      attributes: reader?.attributes ?? {},
    },
    deriveKey(services.config.secretKey, 'message tokens'),
    tested.attachments,
  )
  const { ok, refusal, response } = await sendTestMessage(services, caller, account, message)
  return { ok, message: ok ? sentText(row, to, step, account, reader?.email) : refusal, response }
}

/** See SenderPart.refuseSuppressed. Compares as the suppression list does: however an address is written, it is the same mailbox. */
export async function refuseSuppressed(db: Db, workspaceId: string, to: Address): Promise<void> {
  const suppressed = await db
    .selectFrom('suppressions')
    .where('workspaceId', '=', workspaceId)
    .where('channel', '=', 'email')
    .where('addressKey', 'in', [addressKey(to), toDomainKey(to.domain)])
    .select('reason')
    .executeTakeFirst()
  if (suppressed)
    throw conflict('suppressed', `${to.address} is on the suppression list (${suppressed.reason.replace('_', ' ')}).`)
}

/** The first person of a campaign's rows: a mail merge is tested with real values of its merge fields. */
async function firstOfRows({ db }: Services, { workspaceId, id }: CampaignRow) {
  const merge = (await readMergedRows(db, workspaceId, [id])).get(id)
  if (!merge) return undefined
  const row = await db
    .selectFrom('listMembers')
    .innerJoin('contacts', (join) =>
      join
        .onRef('contacts.workspaceId', '=', 'listMembers.workspaceId')
        .onRef('contacts.id', '=', 'listMembers.contactId'),
    )
    .where('listMembers.listId', '=', merge.listId)
    .where('contacts.workspaceId', '=', workspaceId)
    .select(['contacts.email', 'contacts.name', 'contacts.attributes'])
    .orderBy('contacts.id')
    .limit(1)
    .executeTakeFirst()
  return row && { email: row.email, name: row.name ?? '', attributes: row.attributes as Record<string, AttributeValue> }
}

/** "Follow-up 2 was sent to ada@example.com from sales@gmail.com, as mia@example.com reads it." */
function sentText(
  { followUps, senderIds }: CampaignRow,
  to: string,
  step: number,
  { fromEmail }: SendingAccount,
  reader: string | null | undefined,
) {
  const what = step > 1 ? `Follow-up ${step - 1} was sent` : followUps > 0 ? 'The first email was sent' : 'Sent'
  return `${what} to ${to}${senderIds.length > 1 ? ` from ${fromEmail}` : ''}${reader ? `, as ${reader} reads it` : ''}.`
}
