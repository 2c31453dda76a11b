import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type Answer, decode, encode, type Packet, streamDecode, streamEncode } from 'dns-packet'

/** The records of a name, and with CNAME the name that stands for it. */
export interface NameRecords {
  MX?: { exchange: string; preference: number }[]
  A?: string[]
  AAAA?: string[]
  TXT?: string[]
  CNAME?: string
}

/** What a name server says of a name: its records, SERVFAIL (`refuse`), REFUSED (`lame`), or nothing at all (`silent`). undefined: NXDOMAIN. */
export type NameState = NameRecords | 'refuse' | 'lame' | 'silent' | undefined

const NOERROR = 0
const SERVFAIL = 2
const NXDOMAIN = 3
const REFUSED = 5
/** Recursion desired and available; the reply is cut off. */
const FLAGS = 0x180
const TRUNCATED = 0x200
/** Octets of a reply over UDP to who names no larger size (RFC 1035). */
const PLAIN_UDP = 512
const MAX_ALIASES = 8
const MAX_TCP_QUERY = 4_096

type Query = { type: string; name: string }

/** A text as the strings of at most 255 octets that a TXT record is made of. */
function toStrings(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const strings: Buffer[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += 255) strings.push(bytes.subarray(at, at + 255))
  return strings
}

/** A reply as a resolver gives it: aliases are followed, and a loop of them is SERVFAIL. null: none. */
function buildAnswers(find: (name: string) => NameState, { type, name }: Query) {
  const answers: Answer[] = []
  let current = name.toLowerCase()
  for (let step = 0; step <= MAX_ALIASES; step++) {
    const known = find(current)
    if (known === 'silent') return null
    if (known === 'refuse') return { rcode: SERVFAIL, answers: [] }
    if (known === 'lame') return { rcode: REFUSED, answers: [] }
    if (known === undefined) return { rcode: NXDOMAIN, answers }
    const add = (data: unknown) => answers.push({ type, name: current, ttl: 60, data } as Answer)
    if (known.CNAME === undefined || type === 'CNAME') {
      const values = type === 'CNAME' ? (known.CNAME ? [known.CNAME] : []) : (known[type as 'A'] ?? [])
      for (const value of values) add(type === 'TXT' ? toStrings(value) : value)
      return { rcode: NOERROR, answers }
    }
    answers.push({ type: 'CNAME', name: current, ttl: 60, data: known.CNAME })
    current = known.CNAME.toLowerCase()
  }
  return { rcode: SERVFAIL, answers: [] }
}

/** The reply to a packet; null: none, also where it is no question. */
function buildReply(packet: Packet, find: (name: string) => NameState): Packet | null {
  const [question] = packet.questions ?? []
  if (!question) return null
  const built = buildAnswers(find, question)
  return (
    built && {
      type: 'response',
      id: packet.id ?? 0,
      flags: FLAGS | built.rcode,
      questions: [question],
      answers: built.answers,
    }
  )
}

function udpSize(packet: Packet): number {
  const options = packet.additionals?.find((record) => record.type === 'OPT') as { udpPayloadSize?: number } | undefined
  return Math.max(PLAIN_UDP, options?.udpPayloadSize ?? PLAIN_UDP)
}

/** So many free ports are tried before it is given up. */
const MAX_TRIES = 20

/** Both on one port. A port that is free for UDP may be taken for TCP: then another one is tried, unless it was asked for. */
async function bindBoth(openUdp: () => UdpSocket, stream: Server | undefined, port: number) {
  for (let tries = 1; ; tries++) {
    const udp = openUdp()
    udp.bind(port, '127.0.0.1')
    await once(udp, 'listening')
    const { port: bound } = udp.address() as AddressInfo
    if (!stream) return { udp, bound }
    stream.listen(bound, '127.0.0.1')
    try {
      await once(stream, 'listening')
      return { udp, bound }
    } catch (error) {
      udp.close()
      if (port !== 0 || tries >= MAX_TRIES || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

/**
 * A name server (RFC 1035) on 127.0.0.1 over UDP and TCP; port 0 takes any free one. What does not fit into a datagram is
 * marked as truncated and has to be asked for over TCP, unless `tcp` is false: then nobody is there.
 */
export async function serveNames(find: (query: Query) => NameState, { port = 0, tcp = true } = {}) {
  const reply = (message: Buffer, answer: (reply: Packet, packet: Packet) => void) => {
    try {
      const packet = decode(message)
      const built = buildReply(packet, (name) => find({ type: packet.questions?.[0]?.type ?? '', name }))
      if (built) answer(built, packet)
    } catch {
      // Not DNS: who speaks something else gets no reply.
    }
  }
  const openUdp = () =>
    createSocket('udp4').on('message', function answerDatagram(this: UdpSocket, message, from) {
      reply(message, (built, packet) => {
        const whole = encode(built)
        const cut = { ...built, flags: (built.flags ?? 0) | TRUNCATED, answers: [] }
        this.send(whole.length > udpSize(packet) ? encode(cut) : whole, from.port, from.address)
      })
    })
  const stream = createServer((socket) => answerStream(socket, reply))
  const { udp, bound } = await bindBoth(openUdp, tcp ? stream : undefined, port)
  return {
    port: bound,
    address: `127.0.0.1:${bound}`,
    stop: async () => {
      udp.close()
      if (!tcp) return
      stream.close()
      await once(stream, 'close')
    },
  }
}

/** One question over a stream (RFC 7766), then the end. */
function answerStream(socket: Socket, reply: (message: Buffer, answer: (reply: Packet) => void) => void): void {
  let received = Buffer.alloc(0)
  socket.setTimeout(5_000, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    if (received.length > MAX_TCP_QUERY) return socket.destroy()
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
    const message = encode(streamDecode(received))
    reply(message, (built) => socket.end(streamEncode(built)))
  })
}
