import nodemailer from 'nodemailer'
import { type SenderProblem, type Signer, SmtpConnectError } from '#server/engine/index.ts'
import { signWhole } from './domains/signer.ts'
import { findSenderKind } from './kinds.ts'
import type { SendingAccount } from './sender-kind.ts'

const TRY_LIMIT_MS = 10_000
const TIMEOUTS = { connect: 6_000, greeting: 8_000, command: 8_000, data: 20_000 }

function inTime<T>(work: Promise<T>, limit: number, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, limit, late)
  })
  return Promise.race([work, end]).finally(() => clearTimeout(timer))
}

const lateText = ({ kind, smtp }: Pick<SendingAccount, 'kind' | 'smtp'>) =>
  smtp
    ? `${smtp.host} did not complete its response on port ${smtp.port} within ${TRY_LIMIT_MS / 1000} seconds.`
    : `${findSenderKind(kind).label} did not respond within ${TRY_LIMIT_MS / 1000} seconds.`

/** With the patience of a person who waits for it. */
const hastily = ({ connect }: SendingAccount) => connect(undefined, TIMEOUTS)

/** Connects, secures, signs in and says goodbye, in 10 seconds at most. null when all went well. */
export function tryConnection(account: SendingAccount): Promise<SenderProblem | null> {
  const work = hastily(account).then(
    async (connection) => {
      await connection.quit()
      return null
    },
    (error: unknown) => {
      if (error instanceof SmtpConnectError) return error.problem
      throw error
    },
  )
  return inTime<SenderProblem | null>(work, TRY_LIMIT_MS, { kind: 'timeout', text: lateText(account), code: null })
}

/** How a test message went. `response` holds the server's own words. */
export interface TestOutcome {
  ok: boolean
  kind: 'ok' | 'dns' | 'refused' | 'timeout' | 'tls' | 'auth' | 'greeting' | 'rejected' | 'unknown'
  message: string
  response: string
}

/** What a test can tell; the rest of the engine's words are about sending many. */
function toTestOutcomeKind(kind: SenderProblem['kind']): TestOutcome['kind'] {
  if (kind === 'sender' || kind === 'quota') return 'rejected'
  return kind === 'journal' || kind === 'pace' || kind === 'silent' ? 'unknown' : kind
}

async function testMessage(from: { name: string; address: string }, to: string, publicUrl: string): Promise<Buffer> {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const sent = await composer.sendMail({
    from,
    to: { name: '', address: to },
    subject: '[Test] This sender works',
    text: `This is a test message from Postlark at ${publicUrl}.\n\nIt shows that this mail server sends email from ${from.address}. Check where it arrived: it should be in the inbox, not in the spam folder.\n`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return sent.message as Buffer
}

/** Sends one real message. Never rejects for what the server does; `problem` is what to remember of the sender. */
export async function sendTest(
  account: SendingAccount,
  to: string,
  publicUrl: string,
  signer?: Signer,
): Promise<TestOutcome & { problem: SenderProblem | null }> {
  const message = await testMessage({ name: account.fromName, address: account.fromEmail }, to, publicUrl)
  const data = await signWhole(signer, message)
  const opening = hastily(account).catch((error: unknown) => {
    if (error instanceof SmtpConnectError) return error.problem
    throw error
  })
  const connection = await inTime(opening, TRY_LIMIT_MS, null)
  if (connection === null || 'kind' in connection) {
    // Should it still open after its time, nobody uses it any more.
    void opening.then((late) => void ('kind' in late || late.destroy()))
    const problem = connection ?? {
      kind: 'timeout' as const,
      text: lateText(account),
      code: null,
    }
    return { ok: false, kind: toTestOutcomeKind(problem.kind), message: problem.text, response: '', problem }
  }
  const result = await connection.send({ from: account.fromEmail, to, data })
  await connection.quit()
  const { response } = result
  if (result.kind === 'sent')
    return { ok: true, kind: 'ok', message: `The mail server accepted the message for ${to}.`, response, problem: null }
  if (result.problem) {
    const { problem } = result
    return { ok: false, kind: toTestOutcomeKind(problem.kind), message: problem.text, response, problem }
  }
  if (result.code === null)
    return {
      ok: false,
      kind: 'unknown',
      message: `The connection ended before the mail server replied. It is unknown whether ${to} gets the message.`,
      response,
      problem: null,
    }
  return {
    ok: false,
    kind: 'rejected',
    message: `The mail server works, but did not accept the message for ${to}: ${response}`,
    response,
    problem: null,
  }
}
