import net from 'node:net'
import { freePort } from './server-process.ts'

/** A port that passes connections on to a place that can change, as a virtual address of a cluster does. */
export async function startForwarder(target: { host: string; port: number }, host = '127.0.0.1') {
  let current = target
  const sockets = new Set<net.Socket>()
  const server = net.createServer((near) => {
    const far = net.connect(current)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    host,
    port,
    /** New connections go there; those that exist stay. */
    leadTo(next: { host: string; port: number }) {
      current = next
    },
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
