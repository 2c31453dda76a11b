/** A mail server whose every answer a test decides: what it says, when it is silent, when it hangs up. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import net from 'node:net'

export type Received = { from: string; to: string; data: string }
/** Text to answer, `drop` to hang up, `silent` to say nothing, null for the usual answer. */
export type ScriptedReply = string | 'drop' | 'silent' | null
export type Script = {
  greeting?: ScriptedReply
  capabilities?: string[]
  /** Called with the command line, or `.` at the end of a message. */
  reply?: (line: string, session: { number: number; messages: number; data: string }) => ScriptedReply
}

export type ScriptedServer = {
  port: number
  received: Received[]
  /** Every line of every session. */
  lines: string[]
  /** Command bytes as they arrived, one entry a packet. */
  packets: string[]
  connections: number
  close(): Promise<void>
}

export async function scriptedServer(script: Script = {}): Promise<ScriptedServer> {
  const sockets = new Set<net.Socket>()
  const state: ScriptedServer = { port: 0, received: [], lines: [], packets: [], connections: 0, close }
  const server = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    serve(socket, script, state, ++state.connections)
  })
  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.port = (server.address() as AddressInfo).port
  return state
}

function serve(socket: net.Socket, script: Script, state: ScriptedServer, number: number): void {
  const session = { number, messages: 0, data: '' }
  let pending = ''
  let inData = false
  let from = ''
  let to = ''
  const say = (reply: ScriptedReply, usual: string): boolean => {
    if (reply === 'drop') socket.destroy()
    else if (reply !== 'silent') socket.write(`${reply ?? usual}\r\n`)
    return reply === null || /^[23]/.test(reply)
  }
  const usual = (line: string) => {
    if (/^EHLO/i.test(line))
      return ['mail.test', ...(script.capabilities ?? ['PIPELINING', '8BITMIME'])]
        .map((word, i, all) => `250${i === all.length - 1 ? ' ' : '-'}${word}`)
        .join('\r\n')
    if (line === 'DATA') return to ? '354 go ahead' : '503 5.5.1 no recipient'
    if (line === 'QUIT') return '221 bye'
    return '250 2.0.0 ok'
  }
  const take = (line: string) => {
    state.lines.push(line)
    const taken = say(script.reply?.(line, session) ?? null, usual(line))
    if (line.startsWith('MAIL') && taken) from = line
    if (line.startsWith('RCPT') && taken) to = line
    if (line === 'RSET') from = to = ''
    if (line === 'DATA' && (script.reply?.(line, session) ?? usual(line)).startsWith('354')) inData = true
  }
  const finish = (data: string) => {
    inData = false
    session.data = data
    session.messages++
    state.lines.push('.')
    if (say(script.reply?.('.', session) ?? null, '250 2.0.0 queued')) state.received.push({ from, to, data })
    from = to = ''
  }
  say(script.greeting ?? null, '220 mail.test ready')
  socket.on('data', (chunk) => {
    if (!inData) state.packets.push(chunk.toString())
    pending += chunk.toString()
    for (;;) {
      const lone = inData && pending.startsWith('.\r\n')
      const end = inData ? (lone ? 0 : pending.indexOf('\r\n.\r\n')) : pending.indexOf('\r\n')
      if (end < 0 || socket.destroyed) return
      const text = pending.slice(0, end)
      pending = pending.slice(end + (lone ? 3 : inData ? 5 : 2))
      if (inData) finish(lone ? '' : `${text}\r\n`)
      else take(text)
    }
  })
}
