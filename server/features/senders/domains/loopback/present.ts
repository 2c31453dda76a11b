import type { LoopbackCheck, LoopbackResult } from '#contracts/senders/loopback.ts'
import type { Services } from '#server/services.ts'
import { describeResult, toReason } from './describe.ts'
import { buildArrivalAddress } from './email.ts'
import type { StoredResult } from './result.ts'
import type { LoopbackRow } from './store.ts'

/** A check as it is shown. */
export function presentCheck({ secretKey }: Pick<Services['config'], 'secretKey'>, row: LoopbackRow): LoopbackCheck {
  const { id, senderId, fromAddress, host, response, startedAt, expiresAt, sentAt, arrivedAt } = row
  const state = readState(row)
  const seconds = arrivedAt && sentAt ? Math.max(0, (arrivedAt.getTime() - sentAt.getTime()) / 1_000) : 0
  const result = row.result && presentResult(row.result, seconds)
  return {
    ...{ state, senderId, from: fromAddress, response, result },
    to: buildArrivalAddress(secretKey, id, host),
    message: result ? describeResult(result).message : describeState(state, row),
    startedAt: startedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    arrivedAt: (result && arrivedAt?.toISOString()) ?? null,
  }
}

function readState({ result, failure, isOpen, response }: LoopbackRow): LoopbackCheck['state'] {
  if (result !== null) return 'arrived'
  if (failure !== null) return 'failed'
  if (!isOpen) return 'expired'
  return response === null ? 'sending' : 'sent'
}

function describeState(state: LoopbackCheck['state'], { failure, sentAt, response, host }: LoopbackRow): string {
  if (state === 'failed') return failure ?? ''
  if (state === 'sending') return 'The email is being sent.'
  if (state === 'sent') return 'The mail server has the email. It has not arrived yet.'
  if (sentAt === null)
    return 'The email was not sent within 15 minutes: no worker of this installation took it, or campaigns used the sender all the time.'
  if (response === null)
    return 'The email did not arrive within 15 minutes. The server stopped while it sent the email, so it may never have left.'
  return `The email did not arrive within 15 minutes. Look for it in the log of your mail server, and check that the MX record of ${host} leads to this installation and that its port 25 is open.`
}

function presentResult(
  { dkim, signatures, spf, dmarc, ip, mailFrom, tls }: StoredResult,
  seconds: number,
): LoopbackResult {
  const shown = {
    dkim,
    signatures: signatures.map(({ coversUnsubscribe: _, ...one }) => ({ ...one, reason: toReason(one) })),
    spf: { ...spf, ip, mailFrom },
    ...{ dmarc, tls, seconds },
    unsubscribeSigned: signatures.some(({ coversUnsubscribe }) => coversUnsubscribe),
  }
  return { verdict: describeResult(shown).verdict, ...shown }
}
