import { parseAddress } from '#server/engine/index.ts'
import {
  findLinkBase,
  isFromAllowed,
  sendingAccount,
  sendTestMessage,
  unconfirmedText,
} from '#server/features/senders/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { toDraft } from './problems.ts'
import { testMessageBounded } from './rendering/renderer.ts'
import * as store from './store.ts'
import { findPreviewRecipient, type PreviewReader } from './templates.ts'

/** Sends a template to the caller's own address, as `reader` would read it. It counts in limits and in no report. */
export async function sendTest(
  services: Services,
  caller: Caller,
  row: store.TemplateRow,
  reader: PreviewReader,
): Promise<{ ok: boolean; message: string }> {
  const senderId = await store.defaultSender(services.db, caller.workspaceId)
  const account = senderId && (await sendingAccount(services, services.db, caller.workspaceId, senderId))
  if (!account) throw conflict('no_sender', 'There is no default sender that can send. Set one up under Senders.')
  if (!(await isFromAllowed(services, { ...account, workspaceId: caller.workspaceId })))
    throw conflict('from_unconfirmed', unconfirmedText(account.fromEmail))
  const to = parseAddress(caller.email)
  if (!to) throw conflict('no_address', 'Your account has no email address for test emails.')
  const { recipient, isReal } = await findPreviewRecipient(services, caller.workspaceId, reader)
  const footer = (await store.findFooter(services.db, caller.workspaceId)) ?? {}
  const base = await findLinkBase(services, caller.workspaceId, account.fromEmail)
  const draft = {
    ...toDraft({ ...row, subject: `[Test] ${row.subject || row.name}` }, base ?? services.config.publicUrl, footer),
    from: { name: account.fromName || null, address: account.fromEmail },
    trackClicks: false,
  }
  const addressed = { ...recipient, id: '0', ...(isReal ? { deliverTo: to.address } : { email: to.address }) }
  const key = deriveKey(services.config.secretKey, 'message tokens')
  const message = await testMessageBounded({ workspaceId: caller.workspaceId }, draft, addressed, key)
  const { ok, refusal } = await sendTestMessage(services, caller, account, message)
  return { ok, message: ok ? `Sent to ${to.address}${isReal ? `, as ${recipient.email} reads it` : ''}.` : refusal }
}
