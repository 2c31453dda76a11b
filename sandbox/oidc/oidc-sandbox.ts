import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accounts } from '#contracts/accounts.ts'
import type { GoogleSettings } from '#server/adapters/google/sign-in.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { PROOF_PATH, proofOf, startOidcServer } from './issuer.ts'

const CLIENT_ID = 'postlark-sandbox'

/** Where the issuer of a data folder listens, for the next start and for other processes: an account is known by its issuer's address. */
interface Place {
  port: number
  secret: string
}

/** Starts the stand-in for Google, or finds the one that another process on this data folder runs. */
export async function startIssuer(
  { dataDir, publicUrl }: Pick<Config, 'dataDir' | 'publicUrl'>,
  log: Log,
): Promise<{ settings: GoogleSettings; stop(): Promise<void> }> {
  const folder = join(dataDir, 'sandbox')
  const file = join(folder, 'oidc.json')
  mkdirSync(folder, { recursive: true })
  const place = placeIn(file)
  const secret = place?.secret ?? randomBytes(24).toString('base64url')
  const client = { id: CLIENT_ID, secret, redirectUri: `${publicUrl}${accounts.googleCallback.path}` }
  const settingsAt = (port: number): GoogleSettings => ({
    issuer: `http://127.0.0.1:${port}`,
    clientId: CLIENT_ID,
    clientSecret: secret,
  })
  let started: Awaited<ReturnType<typeof startOidcServer>>
  try {
    started = await startOidcServer(client, place?.port ?? 0)
  } catch (error) {
    if (!place || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (await answersAt(place)) {
      log.info(
        { port: place.port },
        'signing in with Google goes to the sandbox of another process on this data folder',
      )
      return { settings: settingsAt(place.port), stop: async () => undefined }
    }
    started = await startOidcServer(client, 0)
  }
  const { port, server } = started
  writeFileSync(file, JSON.stringify({ port, secret } satisfies Place), { mode: 0o600 })
  log.info({ port }, 'sandbox: an issuer on this machine stands in for Google')
  return {
    settings: settingsAt(port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function placeIn(file: string): Place | undefined {
  try {
    const { port, secret } = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(port) && port > 0 && port < 65_536 && typeof secret === 'string'
      ? { port, secret }
      : undefined
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
