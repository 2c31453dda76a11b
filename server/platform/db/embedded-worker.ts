/**
 * The embedded database, in a thread of its own: PGlite behind a Unix socket that speaks PostgreSQL's protocol,
 * so that the rest of the product has one driver (pg) for both databases.
 *
 * PGlite is one session. Clients take turns: a turn is one protocol batch (up to Sync or a simple Query), or, once
 * a transaction has begun, everything until it ends. (@electric-sql/pglite-socket takes turns by single message,
 * which mixes the unnamed statements of concurrent clients: "portal does not exist".)
 */
import { createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

const { dataDir, socketPath } = workerData as { dataDir: string; socketPath: string }

const SSL_REQUEST = 80877103
const CANCEL_REQUEST = 80877102
const [QUERY, SYNC, TERMINATE, FUNCTION_CALL] = [0x51, 0x53, 0x58, 0x46]
const READY_FOR_QUERY = 0x5a
const IDLE = 0x49

class Client {
  readonly socket: Socket
  pending: Buffer = Buffer.alloc(0)
  started = false
  batches: Buffer[] = []
  constructor(socket: Socket) {
    this.socket = socket
  }
}

const db = await PGlite.create({ dataDir })
const waiting = new Set<Client>()
let owner: Client | undefined
let running = false
let closing = false
let closed = false

/** Cuts the bytes received so far into batches that end with Sync, Query or a function call. */
function cut(client: Client): void {
  let offset = 0
  let start = 0
  const bytes = client.pending
  while (bytes.length - offset >= (client.started ? 5 : 8)) {
    if (!client.started) {
      const length = bytes.readInt32BE(offset)
      if (bytes.length - offset < length) break
      const code = bytes.readInt32BE(offset + 4)
      if (code === SSL_REQUEST) client.socket.write('N')
      else if (code === CANCEL_REQUEST) client.socket.end()
      else {
        client.started = true
        client.batches.push(bytes.subarray(offset, offset + length))
      }
      offset += length
      start = offset
      continue
    }
    const type = bytes[offset]
    const end = offset + 1 + bytes.readInt32BE(offset + 1)
    if (end > bytes.length) break
    offset = end
    if (type === TERMINATE) client.socket.end()
    else if (type === QUERY || type === SYNC || type === FUNCTION_CALL) client.batches.push(bytes.subarray(start, end))
    else continue
    start = end
  }
  client.pending = bytes.subarray(start)
  if (client.batches.length > 0) waiting.add(client)
}

/** Whether the session is outside a transaction: the status byte of the last ReadyForQuery, which ends every answer. */
function isIdle(answer: Uint8Array): boolean {
  const at = answer.length - 6
  return at < 0 || answer[at] !== READY_FOR_QUERY || answer[at + 5] === IDLE
}

async function run(): Promise<void> {
  if (running) return
  running = true
  for (;;) {
    const client = owner ?? waiting.values().next().value
    const batch = client?.batches.shift()
    if (!client || !batch) break
    waiting.delete(client)
    const answer = await db.execProtocolRaw(batch)
    client.socket.write(answer)
    owner = isIdle(answer) ? undefined : client
    if (client.batches.length > 0) waiting.add(client)
    if (owner?.socket.destroyed) await abandon(owner)
  }
  running = false
  if (closing && !closed && !owner && waiting.size === 0) await close()
}

/** A client that went away in the middle of a transaction takes its work with it. */
async function abandon(client: Client): Promise<void> {
  client.batches = []
  waiting.delete(client)
  if (owner !== client) return
  await db.exec('ROLLBACK')
  owner = undefined
}

async function close(): Promise<void> {
  closed = true
  server.close()
  await db.close()
  parentPort?.postMessage('closed')
}

const server = createServer((socket) => {
  const client = new Client(socket)
  socket.on('data', (chunk: Buffer) => {
    client.pending = client.pending.length > 0 ? Buffer.concat([client.pending, chunk]) : chunk
    cut(client)
    void run()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    if (!running) void abandon(client).then(run)
    else client.batches = []
  })
})

server.listen(socketPath, () => parentPort?.postMessage('ready'))
parentPort?.on('message', (message) => {
  if (message !== 'close') return
  closing = true
  void run()
})
