import {
  connect,
  type SenderProblem,
  type SendResult,
  SmtpConnectError,
  type SmtpConnection,
  type SmtpOptions,
} from '#server/engine/index.ts'

const DAY_MS = 24 * 3_600_000

/** smtp.gmail.com by app password: Google's own refusals say that the account has to rest, which no other server's do. */
export async function connectGmailSmtp(
  options: SmtpOptions,
  habits?: Parameters<typeof connect>[1],
): Promise<SmtpConnection> {
  try {
    return watched(await connect(options, habits))
  } catch (error) {
    throw error instanceof SmtpConnectError ? new SmtpConnectError(signInProblem(error.problem)) : error
  }
}

/** What to tell people whose app password is not taken, wherever it was used. */
export const PASSWORD_REFUSED =
  'Google did not accept the app password. Create a new app password in the Google account (it needs 2-Step Verification, and ends when the password is changed) and enter it here.'

function signInProblem(problem: SenderProblem): SenderProblem {
  if (problem.kind !== 'auth') return problem
  if (problem.code === 454 || problem.code === 421)
    return { ...problem, kind: 'quota', text: 'Google asks to wait before signing in again: too many sign-ins.' }
  return { ...problem, text: PASSWORD_REFUSED }
}

function findSenderProblem({ kind, code, enhanced, response }: SendResult): SenderProblem | undefined {
  if (kind !== 'deferred' && kind !== 'failed') return undefined
  if (enhanced === '5.4.5' || /daily user sending (?:limit|quota)/i.test(response)) {
    const text = 'Google’s 24-hour sending limit for this account is reached.'
    return { kind: 'quota', text, code, until: new Date(Date.now() + DAY_MS).toISOString() }
  }
  if (enhanced === '4.7.0' || enhanced === '4.7.28')
    return { kind: 'quota', text: 'Google asks this account to send more slowly.', code }
  return undefined
}

function watched(connection: SmtpConnection): SmtpConnection {
  return {
    async send(request) {
      const result = await connection.send(request)
      const problem = findSenderProblem(result)
      return problem ? { ...result, kind: 'deferred', problem } : result
    },
    get usable() {
      return connection.usable
    },
    get opened() {
      return connection.opened
    },
    get carried() {
      return connection.carried
    },
    quit: () => connection.quit(),
    destroy: () => connection.destroy(),
  }
}
