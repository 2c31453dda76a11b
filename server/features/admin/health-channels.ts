import type { HealthLine } from '#contracts/admin.ts'
import type { Services } from '#server/services.ts'
import { mailServer } from './health-mail.ts'

/** For each way out: the real service, the sandbox on this machine, or nothing. A sandbox is not a fault. */
export function channelLines({ smtpUrl, sandbox }: Services): HealthLine[] {
  const line = { area: 'channels' as const, name: 'E-mail' }
  if (!smtpUrl)
    return [
      { ...line, state: 'bad', text: 'Not configured: nothing can be sent.', advice: 'Set SMTP_URL and MAIL_FROM.' },
    ]
  if (sandbox)
    return [
      {
        ...line,
        state: 'ok',
        text: 'Sandbox: nothing leaves this machine.',
        advice: 'For real mail set SMTP_URL, MAIL_FROM and PUBLIC_URL.',
      },
    ]
  return [{ ...line, state: 'ok', text: `Real, through ${mailServer(smtpUrl)}.`, advice: '' }]
}
