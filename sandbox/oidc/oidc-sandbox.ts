import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import nodemailer from 'nodemailer'
import { accounts } from '#contracts/accounts.ts'
import { gmail } from '#contracts/gmail.ts'
import type { Deliver } from '#sandbox/gmail/api.ts'
import type { control, Wish } from '#sandbox/gmail/control.ts'
import { type MailPorts, startMailServers } from '#sandbox/gmail/servers.ts'
import type { GoogleSettings } from '#server/adapters/google/sign-in.ts'
import type { Answers } from '#server/features/sandbox/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { CONTROL_PATH, PROOF_PATH, proofOf, startOidcServer } from './issuer.ts'

const CLIENT_ID = 'postlark-sandbox'

/** Where the issuer of a data folder listens, for the next start and for other processes: an account is known by its issuer's address. */
interface Place {
  port: number
  secret: string
  /** Where its mailboxes are reached over IMAP and SMTP. */
  mail?: MailPorts
}

/** The stand-in for Google, running. */
export interface GoogleSandbox {
  settings: GoogleSettings
  gmailImapUrl: string | undefined
  gmailSmtpUrl: string | undefined
  answers: Answers
  stop(): Promise<void>
}

/** A worker shows no pages: it lets a web process that starts beside it be Google. */
const WORKER_WAITS_MS = 10_000
const LOOK_AGAIN_MS = 250

/**
 * Starts the stand-in for Google (sign-in, consent, Gmail), or finds the one that another process on this data folder
 * runs. What is sent through Gmail goes to `smtpUrl` to be looked at.
 */
export async function startIssuer(
  { dataDir, publicUrl, role = 'all' }: Pick<Config, 'dataDir' | 'publicUrl'> & Partial<Pick<Config, 'role'>>,
  log: Log,
  smtpUrl?: string,
): Promise<GoogleSandbox> {
  const folder = join(dataDir, 'sandbox')
  const file = join(folder, 'oidc.json')
  mkdirSync(folder, { recursive: true })
  const elsewhere = role === 'worker' ? await runningAt(file) : undefined
  const place = elsewhere ?? placeIn(file)
  const secret = place?.secret ?? randomBytes(24).toString('base64url')
  const redirectUris = [accounts.googleCallback.path, gmail.callback.path].map((path) => `${publicUrl}${path}`)
  const client = { id: CLIENT_ID, secret, redirectUris }
  if (elsewhere) return reachedAt(elsewhere, async () => undefined)
  const { deliver, close } = deliveryTo(smtpUrl, log)
  let started: Awaited<ReturnType<typeof startOidcServer>>
  try {
    started = await startOidcServer(client, place?.port ?? 0, deliver)
  } catch (error) {
    if (!place || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (await answersAt(place)) {
      log.info(
        { port: place.port },
        'signing in with Google goes to the sandbox of another process on this data folder',
      )
      return reachedAt(place, async () => undefined)
    }
    started = await startOidcServer(client, 0, deliver)
  }
  const { port, server } = started
  const mail = await startMailServers(started.gmail)
  const here: Place = { port, secret, mail: mail.ports }
  writeFileSync(file, JSON.stringify(here), { mode: 0o600 })
  log.info({ port, ...mail.ports }, 'sandbox: an issuer on this machine stands in for Google')
  return reachedAt(here, async () => {
    await mail.stop()
    await new Promise<void>((resolve) => {
      close()
      server.close(() => resolve())
      server.closeAllConnections()
    })
  })
}

const reachedAt = ({ port, secret, mail }: Place, stop: () => Promise<void>): GoogleSandbox => ({
  settings: { issuer: `http://127.0.0.1:${port}`, clientId: CLIENT_ID, clientSecret: secret },
  gmailImapUrl: mail && `imap://127.0.0.1:${mail.imap}`,
  gmailSmtpUrl: mail && `smtp://127.0.0.1:${mail.smtp}`,
  answers: readersAt(`http://127.0.0.1:${port}${CONTROL_PATH}`, secret),
  stop,
})

/** Answers to what was sent, in whichever process the mailboxes are. */
function readersAt(url: string, secret: string): Answers {
  const ask = async (wish: Wish) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'x-sandbox-key': secret },
      body: JSON.stringify(wish),
      signal: AbortSignal.timeout(5_000),
    })
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`)
    return (await answer.json()) as ReturnType<typeof control>
  }
  return {
    // Where the stand-in is away nobody reads answers either.
    knows: (email, sent) =>
      ask({ email, sent }).then(
        ({ hasSent }) => hasSent,
        () => false,
      ),
    async take(email, raw) {
      await ask({ email, sent: '', incoming: { raw } })
    },
  }
}

/** Hands what was sent through Gmail to the sandbox's mail server, so that it can be read at /sandbox like any mail. */
function deliveryTo(smtpUrl: string | undefined, log: Log): { deliver: Deliver; close(): void } {
  if (!smtpUrl) return { deliver: async () => undefined, close: () => undefined }
  const transport = nodemailer.createTransport({ url: smtpUrl, pool: true, maxConnections: 2 })
  return {
    async deliver(from, to, raw) {
      try {
        await transport.sendMail({ envelope: { from, to }, raw })
      } catch (error) {
        const { responseCode = 0, response } = error as { responseCode?: number; response?: string }
        if (responseCode >= 500) return response
        log.warn({ err: error }, 'mail of the Gmail sandbox cannot be shown')
      }
      return undefined
    },
    close: () => transport.close(),
  }
}

async function runningAt(file: string): Promise<Place | undefined> {
  const until = performance.now() + WORKER_WAITS_MS
  for (;;) {
    const place = placeIn(file)
    if (place && (await answersAt(place))) return place
    if (performance.now() >= until) return undefined
    await setTimeout(LOOK_AGAIN_MS)
  }
}

function placeIn(file: string): Place | undefined {
  try {
    const { port, secret, mail } = JSON.parse(readFileSync(file, 'utf8'))
    const isPort = (value: unknown) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536
    if (!isPort(port) || typeof secret !== 'string') return undefined
    return { port, secret, ...(isPort(mail?.imap) && isPort(mail?.smtp) && { mail }) }
  } catch {
    return undefined
  }
}

async function answersAt({ port, secret }: Place): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${PROOF_PATH}`, { signal: AbortSignal.timeout(2_000) })
    return ((await answer.json()) as { proof?: unknown }).proof === proofOf(secret)
  } catch {
    return false
  }
}
