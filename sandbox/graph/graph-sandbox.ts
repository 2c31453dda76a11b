import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { WhatsAppPhone } from '#server/features/sandbox/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { findOrStart, toldBy } from '../one-per-folder.ts'
import { startGraphServer, stopGraph } from './server.ts'

/** The version of Graph the product speaks by default. */
const VERSION = 'v25.0'

/** Where the emulator of a data folder listens, for the next start and for other processes. */
interface GraphPlace {
  port: number
  key: string
}

export interface GraphSandbox {
  /** What WHATSAPP_API_URL would be. */
  apiUrl: string
  phone: WhatsAppPhone
  stop(): Promise<void>
}

/** Starts the emulator for Meta's Graph API, or finds the one that another process on this data folder runs. */
export async function startGraph({ dataDir }: Pick<Config, 'dataDir'>, log: Log): Promise<GraphSandbox> {
  const folder = join(dataDir, 'sandbox')
  const { place, running } = await findOrStart({
    file: join(folder, 'graph.json'),
    read: ({ key }, port): GraphPlace | undefined => (typeof key === 'string' ? { port, key } : undefined),
    fresh: (port) => ({ port, key: randomBytes(24).toString('base64url') }),
    responds: async ({ port, key }) => (await toldBy(port, key)) !== undefined,
    async start({ port, key }) {
      const running = await startGraphServer(port, key, join(folder, 'graph-state.json'))
      return { place: { port: running.port, key }, running }
    },
  })
  const { port, key } = place
  if (running) log.info({ port }, 'sandbox: a Graph API on this machine stands in for WhatsApp')
  else log.info({ port }, 'WhatsApp goes to the sandbox of another process on this data folder')
  return {
    apiUrl: `http://127.0.0.1:${port}/${VERSION}`,
    phone: createPhone(`http://127.0.0.1:${port}`, key),
    stop: async () => running && stopGraph(running),
  }
}

/** The emulator's control over HTTP. */
function createPhone(origin: string, key: string): WhatsAppPhone {
  const ask = async (call: string, given: unknown) => {
    const response = await fetch(`${origin}/__sandbox/do`, {
      method: 'POST',
      body: JSON.stringify({ call, given }),
      headers: { 'x-sandbox-key': key, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
    })
    return ((await response.json()) as { answer: never }).answer
  }
  return {
    numbers: (scope) => ask('numbers', { scope }),
    addNumber: (workspace, given) => ask('addNumber', { ...given, workspace }),
    chats: (scope, limit, skip) => ask('chats', { scope, limit, skip }),
    messages: async (scope, number, person) => (await ask('messages', { scope, number, person })) ?? undefined,
    say: (scope, number, person, act) => ask('say', { scope, number, person, act }),
    sendFile: (scope, given) => ask('sendFile', { ...given, scope }),
    media: async (scope, id) => (await ask('media', { scope, id })) ?? undefined,
    templates: (scope) => ask('templates', { scope }),
    reviewByHand: (scope, byHand) => ask('reviewByHand', { scope, byHand }),
    review: (scope, given) => ask('review', { ...given, scope }),
    quality: (scope, given) => ask('quality', { ...given, scope }),
    reach: (publicUrl, address) => ask('reach', { publicUrl, address }),
  }
}
