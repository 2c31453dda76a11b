import dgram from 'node:dgram'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalHost, isPublicAddress, publicLookup, resolvePublic, resolvePublicAll } from './egress.ts'

const none = { allow: [], dnsServers: [] }

/** A name server that responds with addresses or a code of DNS, to questions about IPv4 (`isA`) or IPv6; undefined: never. */
async function startNameServer(respond: (isA: boolean) => string[] | number | undefined) {
  const socket = dgram.createSocket('udp4')
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12) + 5
    const response = respond(question.readUInt16BE(end - 4) === 1)
    if (response === undefined) return
    const addresses = typeof response === 'number' ? [] : response
    const head = Buffer.from(question.subarray(0, end))
    head.writeUInt16BE(0x8180 + (typeof response === 'number' ? response : 0), 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([head, ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { dnsServers: [`127.0.0.1:${socket.address().port}`], [Symbol.dispose]: () => socket.close() }
}

/** A name server that returns these addresses for every A query, a new set each time it is asked. */
function nameServer(...responses: string[][]) {
  let asked = 0
  return startNameServer((isA) => (isA ? (responses[Math.min(asked++, responses.length - 1)] ?? []) : []))
}

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '１２７.0.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '[::1]',
  '::',
  '[::ffff:127.0.0.1]',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  'localhost',
  'LOCALHOST.',
])('egress: the host %s is refused as not public', async (host) => {
  await expect(resolvePublic(host, 25, none)).rejects.toMatchObject({ kind: 'private' })
})

test.each([
  '',
  ' ',
  '.',
  'a b',
  'a/b',
  'user@host',
  'host#x',
  'a%2eb',
  '1.2.3.4.5',
  '256.1.1.1',
  'foo..bar',
  '[::1',
  ':::',
  'fe80::1%eth0',
  `${'a'.repeat(64)}.example`,
])('egress: the text %j is refused as no host name', async (host) => {
  await expect(resolvePublic(host, 25, none)).rejects.toMatchObject({ kind: 'host' })
})

test.each([
  ['8.8.8.8', '8.8.8.8', 4],
  ['134744072', '8.8.8.8', 4],
  ['[2606:4700:4700::1111]', '2606:4700:4700::1111', 6],
  ['2606:4700:4700:0:0:0:0:1111', '2606:4700:4700::1111', 6],
] as const)('egress: the public host %s resolves to %s', async (host, address, family) => {
  expect(await resolvePublic(host, 25, none)).toEqual({ address, family })
})

test('egress: a private IPv4 address embedded in an IPv6 address is not public', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  const isPrivate = fc.oneof(
    fc.tuple(fc.constant(10), octet, octet, octet),
    fc.tuple(fc.constant(127), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
  )
  const wrap = fc.constantFrom('::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:', '2002:')
  fc.assert(
    fc.property(isPrivate, wrap, ([a, b, c, d], prefix) => {
      const inner = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      expect(isPublicAddress(prefix === '2002:' ? `2002:${inner}::` : `${prefix}${inner}`)).toBe(false)
      expect(isPublicAddress(`${a}.${b}.${c}.${d}`)).toBe(false)
      const spelled = (((a << 24) | (b << 16) | (c << 8) | d) >>> 0).toString()
      expect(isPublicAddress(canonicalHost(spelled))).toBe(false)
    }),
  )
})

test('egress: any text is made a canonical host or refused with an EgressError', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.domain(), fc.ipV4Extended(), fc.ipV6(), fc.string({ unit: 'binary' })),
      (host) => {
        try {
          const name = canonicalHost(host)
          expect(canonicalHost(name)).toBe(name)
        } catch (error) {
          expect(error).toMatchObject({ name: 'EgressError', kind: 'host' })
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

test('egress: a private host of the allow list is reached on the allowed port only', async () => {
  const rules = { allow: ['127.0.0.1:2525', 'localhost:2526', '[::1]:2527', '10.0.0.5'], dnsServers: [] }
  expect((await resolvePublic('127.0.0.1', 2525, rules)).address).toBe('127.0.0.1')
  expect((await resolvePublic('LocalHost.', 2526, rules)).address).toMatch(/^127\.|^::1$/)
  expect((await resolvePublic('::1', 2527, rules)).address).toBe('::1')
  expect((await resolvePublic('10.0.0.5', 1, rules)).address).toBe('10.0.0.5')
  await expect(resolvePublic('127.0.0.1', 2526, rules)).rejects.toMatchObject({ kind: 'private' })
  await expect(resolvePublic('localhost', 2525, rules)).rejects.toMatchObject({ kind: 'private' })
  await expect(resolvePublic('127.0.0.2', 2525, rules)).rejects.toMatchObject({ kind: 'private' })
})

test('egress: name servers that were named come before the system, also for a host of the allow list', async () => {
  using server = await nameServer(['10.9.8.7'])
  const rules = { allow: ['localhost:25'], ...server }
  expect((await resolvePublic('localhost', 25, rules)).address).toBe('10.9.8.7')
})

test('egress: a name with one private address among public ones is refused', async () => {
  using server = await nameServer(['93.184.216.34', '10.0.0.1'])
  await expect(resolvePublic('mixed.example', 25, { allow: [], ...server })).rejects.toMatchObject({ kind: 'private' })
  using clean = await nameServer(['93.184.216.34', '93.184.216.35'])
  expect((await resolvePublicAll('clean.example', 25, { allow: [], ...clean })).map(({ address }) => address)).toEqual([
    '93.184.216.34',
    '93.184.216.35',
  ])
})

test('egress: a name without an address is refused with a DNS error', async () => {
  using server = await nameServer([])
  await expect(resolvePublic('nothing-here.invalid', 25, { allow: [], ...server })).rejects.toMatchObject({
    kind: 'dns',
  })
})

test('egress: name servers that never respond hold up no look-up of another name', async () => {
  using silent = await startNameServer(() => undefined)
  const rules = { allow: ['localhost:26'], ...silent }
  const order: string[] = []
  const note = (name: string) => () => void order.push(name)
  const unknown = Array.from({ length: 12 }, (_, n) =>
    resolvePublic(`silent${n}.example`, 25, rules).then(note('resolved'), note('silent')),
  )
  await resolvePublic('localhost', 25, { allow: ['localhost:25'], dnsServers: [] }).then(note('localhost'))
  using server = await nameServer(['93.184.216.34'])
  await resolvePublic('there.example', 25, { allow: [], ...server }).then(note('there'))
  // What the operator allows may be a name of this machine, which name servers do not know.
  const ofMachine = resolvePublic('localhost', 26, rules)
  await Promise.all(unknown)
  expect((await ofMachine).address).toMatch(/^127\.|^::1$/)
  expect(order).toEqual(['localhost', 'there', ...Array.from({ length: 12 }, () => 'silent')])
}, 30_000)

test('egress: a name server that never responds about IPv6 is no obstacle', async () => {
  using server = await startNameServer((isA) => (isA ? ['93.184.216.34'] : undefined))
  expect(await resolvePublicAll('old.example', 25, { allow: [], ...server })).toEqual([
    { address: '93.184.216.34', family: 4 },
  ])
})

test.each([
  ['unknown', 3, 'no server with the name x.example exists', true],
  ['known without an address', 0, 'no server with the name x.example exists', true],
  ['refused', 5, 'x.example could not be looked up (EREFUSED)', false],
  ['broken', 2, 'x.example could not be looked up (ESERVFAIL)', false],
])('egress: a name that is %s at its name server is told apart', async (_, code, message, isUnknownName) => {
  using server = await startNameServer(() => code)
  await expect(resolvePublic('x.example', 25, { allow: [], ...server })).rejects.toMatchObject({
    kind: 'dns',
    message,
    isUnknownName,
  })
})

test('egress: a name that resolves to a private address after the check is refused on connecting', async () => {
  using server = await nameServer(['93.184.216.34'], ['127.0.0.1'])
  const listener = net.createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  let reached = false
  listener.on('connection', () => {
    reached = true
  })
  const rules = { allow: [], dnsServers: server.dnsServers }
  await resolvePublic('rebind.example', port, rules)
  const socket = net.connect({ host: 'rebind.example', port, lookup: publicLookup('rebind.example', port, rules) })
  const [error] = await once(socket, 'error')
  expect(error).toMatchObject({ name: 'EgressError', kind: 'private' })
  expect(reached).toBe(false)
  listener.close()
})

test('egress: a private literal address is refused before a socket is created', () => {
  for (const host of ['127.0.0.1', '[::1]', '0x7f.1'])
    expect(() => publicLookup(host, 25, none)).toThrow('not on the public internet')
})
