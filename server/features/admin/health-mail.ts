import type { HealthLine } from '#contracts/admin.ts'
import type { Services } from '#server/services.ts'
import { many, spell } from './health-words.ts'

/** A page that refreshes by itself must not knock at the mail server each time. */
const KEPT_MS = 20_000

/** The mail server's name and port, without its credentials. */
export function mailServer(smtpUrl: string): string {
  const { hostname, port, protocol } = new URL(smtpUrl)
  return `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`
}

async function reach({ mailer, smtpUrl, sandbox }: Services): Promise<HealthLine> {
  const line = { area: 'mail' as const, name: 'Mail server' }
  if (!smtpUrl)
    return {
      ...line,
      state: 'bad',
      text: 'None is configured: no letter leaves.',
      advice: 'Set SMTP_URL and MAIL_FROM, then restart.',
    }
  const where = sandbox ? 'The sandbox on this machine' : mailServer(smtpUrl)
  const started = performance.now()
  try {
    await mailer.check()
    const taken = Math.round(performance.now() - started)
    return { ...line, state: 'ok', text: `${where} answers, in ${taken} ms.`, advice: '' }
  } catch (error) {
    return {
      ...line,
      state: 'bad',
      text: `${where} cannot be used: ${(error as Error).message.slice(0, 300)}`,
      advice: sandbox
        ? 'Restart the server.'
        : 'Check SMTP_URL: host, port, user and password. Letters wait and are tried again by themselves.',
    }
  }
}

/** The jobs that write the product's own mail. */
const LETTER_JOBS = ['accounts.letter', 'contacts.confirmation', 'site.contact']

/** The product's own letters by what the queue knows of them: it forgets them after a week. */
async function letters({ pool }: Services): Promise<HealthLine[]> {
  const { rows } = await pool.query<{ last: number | null; waiting: string; failed: string; words: string | null }>(
    `select extract(epoch from now() - max(completed_on) filter (where state = 'completed'))::float8 as last,
       count(*) filter (where state = 'retry') as waiting,
       count(*) filter (where state = 'failed' and completed_on > now() - interval '24 hours') as failed,
       (array_agg(output->>'message' order by created_on desc) filter (where state in ('retry', 'failed')))[1] as words
     from pgboss.job where name = any($1)`,
    [LETTER_JOBS],
  )
  const { last = null, waiting = '0', failed = '0', words = null } = rows[0] ?? {}
  const [again, gone] = [Number(waiting), Number(failed)]
  const area = 'mail'
  return [
    {
      area,
      name: 'Last letter',
      state: last === null ? 'unknown' : 'ok',
      text: last === null ? 'None was asked for within a week.' : `Dealt with ${spell(last)} ago.`,
      advice: '',
    },
    {
      area,
      name: 'Letters that failed',
      state: gone > 0 ? 'bad' : again > 0 ? 'warning' : 'ok',
      text:
        again + gone === 0
          ? 'None.'
          : `${many(again, 'letter')} to be tried again, ${gone} given up in the last 24 hours.${words ? ` The last answer: ${words.slice(0, 300)}` : ''}`,
      advice:
        again + gone === 0
          ? ''
          : 'Mend what the answer says. Who waits for a letter given up can ask for a new one on the login page.',
    },
  ]
}

/** The product's own mail: whether its server answers now, and how its letters fared. */
export function mailProbe(services: Services): () => Promise<HealthLine[]> {
  let kept: { at: number; line: Promise<HealthLine> } | undefined
  return async () => {
    if (!kept || performance.now() - kept.at > KEPT_MS) kept = { at: performance.now(), line: reach(services) }
    return [await kept.line, ...(await letters(services))]
  }
}
