import net from 'node:net'

/** How long an answer may take before the database is looked for, and how long that may take. */
const PATIENCE_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000

/**
 * A socket to the database that ends when a cut network took the database away. TCP itself sends again for a quarter of an hour
 * before it says so. A statement may take long: a silent socket ends only when no new connection to the same place can be made.
 */
export function openWatchedSocket(patienceMs = PATIENCE_MS): net.Socket {
  const socket = new net.Socket()
  socket.setTimeout(patienceMs)
  socket.on('timeout', async () => {
    const { remoteAddress, remotePort } = socket
    // By a socket file there is no network in between.
    const isLocal = !socket.connecting && remoteAddress === undefined
    if (isLocal || (remoteAddress && remotePort && (await canConnect(remotePort, remoteAddress))))
      socket.setTimeout(patienceMs)
    else socket.destroy(new Error('the database does not respond, and cannot be connected to'))
  })
  return socket
}

function canConnect(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect({ port, host, timeout: CONNECT_TIMEOUT_MS })
    const end = (isThere: boolean) => {
      probe.destroy()
      resolve(isThere)
    }
    probe.once('connect', () => end(true))
    probe.once('timeout', () => end(false))
    probe.once('error', () => end(false))
  })
}
