/** Name servers, the mail server, the port, and the address that people use. */
import { isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { mailServerLine, spell } from '#server/features/admin/index.ts'
import { createMailer } from '../adapters/smtp/mailer.ts'
import { type Config, isLoopback } from '../platform/config.ts'
import { ALWAYS_THERE, nameServers } from '../platform/dns.ts'
import { type Check, ok, problem, toCheck, warning } from './check.ts'

const PATIENCE_MS = 5_000
/** Certificates are renewed a month before they end; one that was not by now will not be. */
const CERTIFICATE_WARNING_SECONDS = 14 * 86_400

/** Whether name servers find a name that always exists. In the sandbox nothing depends on it. */
export async function checkDns({ dnsServers, production }: Config): Promise<Check> {
  const name = 'DNS'
  const who = dnsServers.length > 0 ? dnsServers.join(', ') : "The system's name servers"
  try {
    const started = performance.now()
    await nameServers(dnsServers).resolve4(ALWAYS_THERE)
    return ok(name, `${who} responded in ${Math.round(performance.now() - started)} ms.`)
  } catch (error) {
    const text = `${who} did not find ${ALWAYS_THERE}: ${(error as NodeJS.ErrnoException).code ?? 'no response'}.`
    const advice = 'Sending domains and scrapes need DNS. Check the network, /etc/resolv.conf or DNS_SERVERS.'
    return production ? problem(name, text, advice) : warning(name, text, advice)
  }
}

/** The mail server of system emails. */
export async function checkMail({ smtpUrl, mailFrom, production }: Config): Promise<Check> {
  if (!smtpUrl && !production)
    return ok('Mail server', 'Sandbox: no real messages are sent. To send real emails, set SMTP_URL and MAIL_FROM.')
  const mailer = createMailer(smtpUrl, mailFrom)
  try {
    return toCheck(await mailServerLine({ mailer, smtpUrl, sandbox: false }))
  } finally {
    mailer.close()
  }
}

/** An address to reach what listens on HOST. */
function toReachable(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return host === '::' ? '[::1]' : '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** What the server of this installation says at /healthz. */
async function readHealth(url: string): Promise<'ok' | 'refused' | 'other' | { trouble: string }> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
    const body = (await response.json()) as { status?: unknown; message?: unknown }
    if (body.status === 'ok') return 'ok'
    return response.status === 503 && typeof body.message === 'string' ? { trouble: body.message } : 'other'
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    return code === 'ECONNREFUSED' ? 'refused' : 'other'
  }
}

/** The server on this machine. `isRunning`: one has the data folder open. */
export async function checkServer({ host, port }: Config, isRunning: boolean): Promise<Check> {
  const name = 'Server'
  if (port === 0) return ok(name, isRunning ? 'It runs.' : 'It is not running.')
  const url = `http://${toReachable(host)}:${port}`
  const health = await readHealth(url)
  if (health === 'ok') return ok(name, `It responds at ${url}.`)
  if (health === 'refused')
    return isRunning
      ? warning(name, `It runs, but nothing listens at ${url}.`, 'Run this with the HOST and PORT of the server.')
      : ok(name, 'It is not running.')
  if (typeof health === 'object') return problem(name, health.trouble, 'The log of the server has the reason.')
  const text = `Another program responds at ${url}, or none within 5 seconds.`
  return isRunning
    ? warning(name, text, 'Run this with the HOST and PORT of the server.')
    : problem(name, text, 'Choose another PORT, or stop that program.')
}

/** The certificate of a host: why it is refused (''), and the seconds until it ends. */
function readCertificate(host: string, port: number): Promise<{ refusal: string; secondsLeft: number }> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? '' : host
    const socket = connectTls({ host, port, servername, rejectUnauthorized: false, timeout: PATIENCE_MS })
    socket.once('timeout', () => socket.destroy(new Error('no response within 5 seconds')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const ends = new Date(socket.getPeerCertificate().valid_to).getTime()
      const refusal = socket.authorized ? '' : String(socket.authorizationError)
      socket.destroy()
      resolve({ refusal, secondsLeft: (ends - Date.now()) / 1_000 })
    })
  })
}

/** The certificate of PUBLIC_URL, as browsers and mail programs see it. Nothing where it has no TLS. */
export async function checkCertificate({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Check[]> {
  const url = new URL(publicUrl)
  if (url.protocol !== 'https:' || isLoopback(publicUrl)) return []
  const name = 'TLS'
  const renew = 'Renew the certificate where TLS ends (the proxy).'
  try {
    const { refusal, secondsLeft } = await readCertificate(
      url.hostname.replace(/^\[|\]$/g, ''),
      Number(url.port || 443),
    )
    if (refusal) return [problem(name, `The certificate of ${url.host} is refused: ${refusal}.`, renew)]
    const text = `The certificate of ${url.host} is valid for ${spell(secondsLeft)}.`
    return [secondsLeft < CERTIFICATE_WARNING_SECONDS ? warning(name, text, renew) : ok(name, text)]
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    return [
      warning(
        name,
        `${url.host} cannot be reached from this machine: ${reason}.`,
        'Check the proxy and the DNS record, from another network too.',
      ),
    ]
  }
}
