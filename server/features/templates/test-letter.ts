import { createTokens, parseAddress, prepare, SmtpConnectError, splice } from '#server/engine/index.ts'
import { sendingAccount } from '#server/features/senders/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { draftOf } from './problems.ts'
import { compileBounded } from './renderer.ts'
import * as store from './store.ts'
import { type Reader, recipientOf } from './templates.ts'

const TESTS_AN_HOUR = 60

/** Sends a template to the caller's own address, as `reader` would read it. It counts nowhere. */
export async function sendTest(
  services: Services,
  caller: Caller,
  row: store.TemplateRow,
  reader: Reader,
): Promise<{ ok: boolean; message: string }> {
  const senderId = await store.defaultSender(services.db, caller.workspaceId)
  const account = senderId && (await sendingAccount(services, services.db, caller.workspaceId, senderId))
  if (!account) throw conflict('no_sender', 'There is no default sender that can send. Set one up under Senders.')
  const to = parseAddress(caller.email)
  if (!to) throw conflict('no_address', 'Your account has no address a letter can be sent to.')
  const { recipient, isReal } = await recipientOf(services, caller.workspaceId, reader)
  const { ok, wait } = await throttle(services.db, `template-test:${caller.userId}`, TESTS_AN_HOUR, 3600)
  if (!ok) throw tooMany('That were many tests within an hour. Wait a little and try again.', wait)
  const footer = (await store.footerOf(services.db, caller.workspaceId)) ?? {}
  const draft = {
    ...draftOf({ ...row, subject: `[Test] ${row.subject || row.name}` }, services.config.publicUrl, footer),
    from: { name: account.fromName || null, address: account.fromEmail },
    trackClicks: false,
  }
  const plan = await compileBounded(draft).catch((error) => {
    throw conflict('not_ready', (error as Error).message)
  })
  const tokens = createTokens(deriveKey(services.config.secretKey, 'message tokens'))
  const message = splice(prepare(plan, tokens), {
    ...recipient,
    id: '0',
    ...(isReal ? { deliverTo: to.address } : { email: to.address }),
  })
  try {
    const connection = await account.connect()
    const { from, data, needsSmtpUtf8 } = message
    const result = await connection.send({ from, to: message.to, data, needsSmtpUtf8 })
    await connection.quit()
    if (result.kind === 'sent')
      return { ok: true, message: `Sent to ${to.address}${isReal ? `, as ${recipient.email} reads it` : ''}.` }
    return { ok: false, message: `The mail server did not take it: ${result.response}` }
  } catch (error) {
    if (error instanceof SmtpConnectError) return { ok: false, message: error.problem.text }
    throw error
  }
}
