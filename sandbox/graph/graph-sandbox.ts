import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WhatsAppPhone } from '#server/features/sandbox/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { proofOf } from './control.ts'
import { startGraphServer } from './server.ts'

/** The version of Graph the product speaks by default. */
const VERSION = 'v25.0'

/** Where the stand-in of a data folder listens, for the next start and for other processes. */
interface Place {
  port: number
  key: string
}

export interface GraphSandbox {
  /** What WHATSAPP_API_URL would be. */
  apiUrl: string
  phone: WhatsAppPhone
  stop(): Promise<void>
}

/** Starts the stand-in for Meta's Graph API, or finds the one that another process on this data folder runs. */
export async function startGraph({ dataDir }: Pick<Config, 'dataDir'>, log: Log): Promise<GraphSandbox> {
  const folder = join(dataDir, 'sandbox')
  const file = join(folder, 'graph.json')
  mkdirSync(folder, { recursive: true })
  const place = placeIn(file)
  const key = place?.key ?? randomBytes(24).toString('base64url')
  const at = (port: number, stop: () => Promise<void>): GraphSandbox => ({
    apiUrl: `http://127.0.0.1:${port}/${VERSION}`,
    phone: phoneOf(`http://127.0.0.1:${port}`, key),
    stop,
  })
  const start = (port: number) => startGraphServer(port, key, join(folder, 'graph-state.json'))
  let started: Awaited<ReturnType<typeof start>>
  try {
    started = await start(place?.port ?? 0)
  } catch (error) {
    if (!place || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (await answersAt(place)) {
      log.info({ port: place.port }, 'WhatsApp goes to the sandbox of another process on this data folder')
      return at(place.port, async () => undefined)
    }
    started = await start(0)
  }
  const { port, server, webhooks, sending, state } = started
  writeFileSync(file, JSON.stringify({ port, key } satisfies Place), { mode: 0o600 })
  log.info({ port }, 'sandbox: a Graph API on this machine stands in for WhatsApp')
  return at(port, async () => {
    sending.stop()
    webhooks.stop()
    state.flush()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  })
}

/** The stand-in's control over HTTP. */
function phoneOf(origin: string, key: string): WhatsAppPhone {
  const ask = async (call: string, given: unknown) => {
    const answer = await fetch(`${origin}/__sandbox/do`, {
      method: 'POST',
      body: JSON.stringify({ call, given }),
      headers: { 'x-sandbox-key': key, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
    })
    return ((await answer.json()) as { answer: never }).answer
  }
  return {
    numbers: () => ask('numbers', {}),
    addNumber: (given) => ask('addNumber', given),
    chats: (limit, skip) => ask('chats', { limit, skip }),
    messages: async (number, person) => (await ask('messages', { number, person })) ?? undefined,
    say: (number, person, act) => ask('say', { number, person, act }),
    sendFile: (given) => ask('sendFile', given),
    media: async (id) => (await ask('media', id)) ?? undefined,
    templates: () => ask('templates', {}),
    reviewByHand: (byHand) => ask('reviewByHand', byHand),
    review: (given) => ask('review', given),
    quality: (given) => ask('quality', given),
    reach: (publicUrl, address) => ask('reach', { publicUrl, address }),
  }
}

function placeIn(file: string): Place | undefined {
  try {
    const { port, key } = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(port) && port > 0 && port < 65_536 && typeof key === 'string' ? { port, key } : undefined
  } catch {
    return undefined
  }
}

async function answersAt({ port, key }: Place): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/__sandbox/proof`, { signal: AbortSignal.timeout(2_000) })
    return ((await answer.json()) as { proof?: unknown }).proof === proofOf(key)
  } catch {
    return false
  }
}
