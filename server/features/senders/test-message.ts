import { type Message, SmtpConnectError } from '#server/engine/index.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { findSigner, signWhole } from './domains/signer.ts'
import type { SendingAccount } from './sender-kind.ts'
import { noteAccepted } from './sending-store.ts'
import { reserveTest, sendReserved } from './test-limits.ts'

/** How a test message went. `refusal`: why it was not taken; '' where it was. `response`: the mail server's own words. */
export interface TestSent {
  ok: boolean
  refusal: string
  response: string
}

/**
 * Sends a message that was made to be tried, signed as a campaign's are. It counts in the sender's day, in the plan and in the limits of
 * tests. Throws Refusal 402 or 429.
 */
export async function sendTestMessage(
  services: Services,
  caller: Caller,
  account: SendingAccount,
  { from, to, data, needsSmtpUtf8 }: Message,
): Promise<TestSent> {
  const reserved = await reserveTest(services, caller, account, to)
  try {
    return await sendReserved(services, reserved, async () => {
      const signer = await findSigner(services, caller.workspaceId, account, from)
      const signed = await signWhole(signer, Buffer.from(data))
      const connection = await account.connect()
      const result = await connection.send({ from, to, data: signed, needsSmtpUtf8 })
      await connection.quit()
      const { response } = result
      if (result.kind !== 'sent')
        return {
          ok: false,
          refusal: result.problem?.text ?? `The mail server did not accept it: ${response}`,
          response,
        }
      await noteAccepted(services.db, account)
      return { ok: true, refusal: '', response }
    })
  } catch (error) {
    if (error instanceof SmtpConnectError) return { ok: false, refusal: error.problem.text, response: error.message }
    throw error
  }
}
