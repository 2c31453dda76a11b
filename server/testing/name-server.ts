import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Answer, decode, encode, type Packet } from 'dns-packet'

/** What the server says of a name: records by type, `refuse` (SERVFAIL), or `silent` (no answer). What it does not know does not exist (NXDOMAIN). */
export type Zone = Record<
  string,
  'refuse' | 'silent' | { MX?: { exchange: string; preference: number }[]; A?: string[]; AAAA?: string[] }
>

const NXDOMAIN = 3
const SERVFAIL = 2

/** A name server (RFC 1035) over UDP on 127.0.0.1 that notes what it is asked. */
export async function startNameServer(zone: Zone) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (message, from) => {
    const query = decode(message)
    const [question] = query.questions ?? []
    if (!question) return
    const name = question.name.toLowerCase()
    asked.push(`${question.type} ${name}`)
    const known = zone[name]
    if (known === 'silent') return
    const rcode = known === undefined ? NXDOMAIN : known === 'refuse' ? SERVFAIL : 0
    const records = typeof known === 'object' ? (known[question.type as 'MX' | 'A' | 'AAAA'] ?? []) : []
    const responses = records.map((data) => ({ type: question.type, name: question.name, ttl: 60, data }) as Answer)
    const reply: Packet = {
      type: 'response',
      id: query.id ?? 0,
      flags: 0x180 | rcode,
      questions: [question],
      answers: responses,
    }
    socket.send(encode(reply), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  return { address: `127.0.0.1:${port}`, asked, stop: () => void socket.close() }
}
