/** A mail server that talks without end at the command its user is named after; "many" has 400,000 messages. Sends its port, and what "plain" asks for. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'

const noise = Buffer.from('* 1 EXISTS\r\n* FLAGS (\\Seen)\r\n'.repeat(2_000))
const message = Buffer.alloc(19 * 1024 * 1024, 'x')
const MANY = 400_000

function* endlessly(command: string) {
  for (let uid = 1; ; uid++) {
    if (command !== 'fetch') yield noise
    else
      yield* [
        Buffer.from(`* ${uid} FETCH (UID ${uid} BODY[]<0> {${message.length}}\r\n`),
        message,
        Buffer.from(')\r\n'),
      ]
  }
}

function talk(socket: Socket, command: string): void {
  const parts = endlessly(command)
  const more = () => {
    while (socket.writable && socket.write(parts.next().value ?? noise));
  }
  socket.on('drain', more)
  more()
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

function search(set: string, user: string): string {
  const [from = 1, to] = set.split(':').map(Number)
  const last = user === 'many' ? MANY : 1
  return `* SEARCH ${range(from, Math.min(Number.isNaN(to) ? last : (to ?? last), last)).join(' ')}\r\n`
}

const server = createServer((socket) => {
  let user = ''
  socket.on('error', () => socket.destroy())
  socket.write('* OK [CAPABILITY IMAP4rev1] Ready\r\n')
  socket.on('data', (chunk) => {
    for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
      const [tag = '', ...words] = line.split(' ')
      const [command = '', ...rest] = words.filter((word) => !/^uid$/i.test(word))
      if (/login/i.test(command)) user = rest[0]?.replaceAll('"', '') ?? ''
      if (user === 'plain') parentPort?.postMessage(command)
      if (command.toLowerCase() === user) return talk(socket, user)
      if (/search/i.test(command)) socket.write(search(rest.at(-1) ?? '', user))
      if (/select/i.test(command))
        socket.write(`* 1 EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT ${user === 'many' ? MANY + 1 : 2}]\r\n`)
      socket.write(`${tag} OK done\r\n`)
    }
  })
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
