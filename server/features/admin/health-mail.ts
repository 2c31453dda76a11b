import type { HealthLine } from '#contracts/admin/admin.ts'
import type { Services } from '#server/services.ts'
import { many, spell } from './health-labels.ts'

/** A page that refreshes by itself must not knock at the mail server each time. */
const CACHE_MS = 20_000

/** The mail server's name and port, without its credentials. */
export function mailServer(smtpUrl: string): string {
  const { hostname, port, protocol } = new URL(smtpUrl)
  return `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`
}

/** Whether the mail server of system emails takes a connection and its credentials. */
export async function mailServerLine({
  mailer,
  smtpUrl,
  sandbox,
}: Pick<Services, 'mailer' | 'smtpUrl' | 'sandbox'>): Promise<HealthLine> {
  const line = { area: 'mail' as const, name: 'Mail server' }
  if (!smtpUrl)
    return {
      ...line,
      state: 'bad',
      text: 'No mail server is configured. No emails are sent.',
      advice: 'Set SMTP_URL and MAIL_FROM, then restart.',
    }
  const where = sandbox ? 'The sandbox on this machine' : mailServer(smtpUrl)
  const started = performance.now()
  try {
    await mailer.check()
    const taken = Math.round(performance.now() - started)
    return { ...line, state: 'ok', text: `${where} responded in ${taken} ms.`, advice: '' }
  } catch (error) {
    return {
      ...line,
      state: 'bad',
      text: `${where} cannot be used: ${(error as Error).message.slice(0, 300)}`,
      advice: sandbox
        ? 'Restart the server.'
        : 'Check host, port, user and password in SMTP_URL. Emails are queued and retried automatically.',
    }
  }
}

/** The jobs that write the product's own mail. */
const EMAIL_JOBS = ['accounts.email', 'contacts.confirmation', 'site.contact']

/** The product's own emails by what the queue knows of them: it forgets them after a week. */
async function emails({ pool }: Services): Promise<HealthLine[]> {
  const { rows } = await pool.query<{ last: number | null; waiting: string; failed: string; words: string | null }>(
    `select extract(epoch from now() - max(completed_on) filter (where state = 'completed'))::float8 as last,
       count(*) filter (where state = 'retry') as waiting,
       count(*) filter (where state = 'failed' and completed_on > now() - interval '24 hours') as failed,
       (array_agg(output->>'message' order by created_on desc) filter (where state in ('retry', 'failed')))[1] as words
     from pgboss.job where name = any($1)`,
    [EMAIL_JOBS],
  )
  const { last = null, waiting = '0', failed = '0', words = null } = rows[0] ?? {}
  const [again, gone] = [Number(waiting), Number(failed)]
  const area = 'mail'
  return [
    {
      area,
      name: 'Last email',
      state: last === null ? 'unknown' : 'ok',
      text: last === null ? 'None was sent in the last week.' : `Processed ${spell(last)} ago.`,
      advice: '',
    },
    {
      area,
      name: 'Failed emails',
      state: gone > 0 ? 'bad' : again > 0 ? 'warning' : 'ok',
      text:
        again + gone === 0
          ? 'None.'
          : `${many(again, 'email')} to be retried, ${gone} failed in the last 24 hours.${words ? ` The last reply: ${words.slice(0, 300)}` : ''}`,
      advice:
        again + gone === 0 ? '' : 'Fix the problem in the reply. Users can request a new email on the login page.',
    },
  ]
}

/** The system emails: whether the mail server responds now, and how they fared. */
export function mailProbe(services: Services): () => Promise<HealthLine[]> {
  let cached: { at: number; line: Promise<HealthLine> } | undefined
  return async () => {
    if (!cached || performance.now() - cached.at > CACHE_MS)
      cached = { at: performance.now(), line: mailServerLine(services) }
    return [await cached.line, ...(await emails(services))]
  }
}
