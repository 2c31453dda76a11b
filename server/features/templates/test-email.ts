import { parseAddress, SmtpConnectError } from '#server/engine/index.ts'
import {
  findLinkBase,
  findSigner,
  isFromAllowed,
  noteAccepted,
  reserveTest,
  sendingAccount,
  sendReserved,
  signWhole,
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
  const reserved = await reserveTest(services, caller, account, to.address)
  try {
    return await sendReserved(services, reserved, async () => {
      const { from, needsSmtpUtf8 } = message
      const signer = await findSigner(services, caller.workspaceId, account, from)
      const data = await signWhole(signer, Buffer.from(message.data))
      const connection = await account.connect()
      const result = await connection.send({ from, to: message.to, data, needsSmtpUtf8 })
      await connection.quit()
      if (result.kind !== 'sent')
        return { ok: false, message: result.problem?.text ?? `The mail server did not accept it: ${result.response}` }
      await noteAccepted(services.db, account)
      return { ok: true, message: `Sent to ${to.address}${isReal ? `, as ${recipient.email} reads it` : ''}.` }
    })
  } catch (error) {
    if (error instanceof SmtpConnectError) return { ok: false, message: error.problem.text }
    throw error
  }
}
