import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '#server/adapters/whatsapp/problem.ts'
import { isOptBackIn, isOptOut } from '../consents/keywords.ts'
import {
  knownFrom,
  type MergedStatus,
  mergeAll,
  mergeStatus,
  readChanges,
  STATUS_RANK,
  type StatusEvent,
} from './events.ts'
import { claimedSignature, isSigned } from './signature.ts'

const sign = (raw: Uint8Array, secret: string) => `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`

test('WhatsApp webhook: a signature is valid for exactly its bytes and secret', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      fc.nat(),
      (raw, secret, other, at) => {
        const claimed = claimedSignature(sign(raw, secret))
        expect(claimed && isSigned(raw, claimed, secret)).toBe(true)
        if (other !== secret) expect(claimed && isSigned(raw, claimed, other)).toBe(false)
        if (raw.length === 0) return
        const changed = raw.slice()
        changed[at % raw.length] = ((changed[at % raw.length] ?? 0) + 1) % 256
        expect(claimed && isSigned(changed, claimed, secret)).toBe(false)
      },
    ),
  )
})

test('WhatsApp webhook: JSON of the same value in other bytes has another signature', () => {
  const escaped = Buffer.from('{"text":"gr\\u00fc\\u00dfe \\/"}')
  const plain = Buffer.from(JSON.stringify(JSON.parse(escaped.toString())))
  const claimed = claimedSignature(sign(escaped, 'secret')) as Buffer
  expect([isSigned(escaped, claimed, 'secret'), isSigned(plain, claimed, 'secret')]).toEqual([true, false])
})

test('WhatsApp webhook: a header that is no signature is ignored', () => {
  for (const header of [
    undefined,
    '',
    'sha1=aa',
    `sha256=${'A'.repeat(64)}`,
    `sha256=${'a'.repeat(63)}`,
    ['x'],
    `sha256=${'a'.repeat(65)}`,
  ])
    expect(claimedSignature(header)).toBeUndefined()
  fc.assert(
    fc.property(
      fc.string(),
      (header) => claimedSignature(header) === undefined || /^sha256=[0-9a-f]{64}$/.test(header),
    ),
  )
})

const event = fc.record<StatusEvent>({
  wamid: fc.constantFrom('a', 'b'),
  status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
  at: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true }),
  callback: fc.constantFrom('', '7'),
  person: fc.constantFrom('', '447911123456'),
  code: fc.constantFrom(null),
  details: fc.constant(''),
  billable: fc.constantFrom(null, true),
  category: fc.constantFrom(null, 'marketing'),
})
const same = (a: MergedStatus[], b: MergedStatus[]) => {
  const order = (all: MergedStatus[]) => all.toSorted((x, y) => x.wamid.localeCompare(y.wamid))
  expect(order(a)).toEqual(order(b))
}

test('WhatsApp webhook: statuses in any order, number and batches lead to the same result', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      fc.nat(12),
      (events, stream, cut) => {
        const all = mergeAll(events)
        same(mergeAll(events.toReversed()), all)
        same(mergeAll([...events, ...events]), all)
        const shuffled = events
          .map((one) => ({ one, by: stream.next().value ?? 0 }))
          .toSorted((a, b) => a.by - b.by)
          .map(({ one }) => one)
        same(mergeAll(shuffled), all)
        const [first, second] = [mergeAll(events.slice(0, cut)), mergeAll(events.slice(cut))]
        const joined = [...first]
        for (const one of second) {
          const at = joined.findIndex((other) => other.wamid === one.wamid)
          if (at < 0) joined.push(one)
          else joined[at] = mergeStatus(joined[at] as MergedStatus, one)
        }
        same(joined, all)
      },
    ),
  )
})

test('WhatsApp webhook: a status never goes back', () => {
  fc.assert(
    fc.property(event, event, (a, b) => {
      const merged = mergeStatus(knownFrom(a), knownFrom({ ...b, wamid: a.wamid }))
      expect(STATUS_RANK[merged.status]).toBe(Math.max(STATUS_RANK[a.status], STATUS_RANK[b.status]))
    }),
  )
})

test('WhatsApp webhook: any value is read without an error', () => {
  fc.assert(fc.property(fc.anything(), (value) => Array.isArray(readChanges([{ field: 'messages', value }]).statuses)))
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          field: fc.constantFrom('messages', 'user_preferences', 'message_template_status_update', 'other'),
          value: fc.object(),
        }),
      ),
      (changes) => {
        expect(readChanges(changes).inbound).toEqual(expect.any(Array))
      },
    ),
  )
})

test('WhatsApp webhook: a person without number has a scoped id, and a number change is no message', () => {
  const value = {
    contacts: [{ profile: { username: 'grace' }, user_id: 'US.1349' }],
    messages: [
      { from_user_id: 'US.1349', id: 'wamid.x', timestamp: '1749416383', type: 'text', text: { body: 'Hi' } },
      {
        from: '447911123456',
        id: 'wamid.y',
        timestamp: '1749416383',
        type: 'system',
        system: { body: 'changed', type: 'user_changed_number' },
      },
    ],
  }
  expect(readChanges([{ field: 'messages', value }]).inbound).toMatchObject([
    { waId: null, bsuid: 'US.1349', name: 'grace', isPerson: true },
    { waId: '447911123456', isPerson: false },
  ])
})

test('WhatsApp webhook: ids larger than a safe integer are read as strings', () => {
  expect(parseJson('{"id":12345678901234567890,"n":7,"x":1.5,"y":9007199254740993}')).toEqual({
    id: '12345678901234567890',
    n: 7,
    x: 1.5,
    y: '9007199254740993',
  })
})

test('opt-out: words for stop are recognized in many languages, and ordinary sentences are not', () => {
  for (const text of [
    'STOP',
    'stop.',
    ' Stop!! ',
    'please stop',
    'Stop please',
    'STOP ALL',
    'unsubscribe',
    'Opt-out',
    'stop sending me messages',
    'stop messaging me',
    'Stop promotions',
    'Stopp',
    'Abmelden',
    'bitte abmelden',
    'ARRÊT',
    'arrêter svp',
    'désabonner',
    'BAJA',
    'Darme de baja',
    'parar',
    'sair',
    'Descadastrar',
    'disiscrivi',
    'afmelden',
    'wypisz',
    'СТОП',
    'отписаться',
    'إيقاف',
    'توقف',
    'الغاء الاشتراك',
    'הסר',
    'बंद करो',
    '退订',
    '取消订阅',
    '停止',
    '配信停止',
    '수신거부',
    '중지',
    'หยุด',
    'iptal',
    'berhenti',
    'Διακοπή',
  ])
    expect(isOptOut(text), text).toBe(true)
  for (const text of [
    'Do not stop, I like it',
    'I will stop by tomorrow',
    'Where is the bus stop?',
    'nonstop',
    'stop',
    'Stop the delivery to my old address',
    'yes',
    '',
    '👍',
    'When do you open?',
    'start',
    'Can you stop at nine?',
    'halt',
    'Wann ist Stopp?',
  ].filter((text) => text !== 'stop'))
    expect(isOptOut(text), text).toBe(false)
  for (const text of ['START', 'start please', 'Subscribe', 'unstop']) expect(isOptBackIn(text), text).toBe(true)
  for (const text of ['when do you start?', 'stop']) expect(isOptBackIn(text), text).toBe(false)
  fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => !(isOptOut(text) && isOptBackIn(text))))
})

test('WhatsApp webhook: an error code out of range is read as 0', () => {
  const readCode = (code: unknown) =>
    readChanges([{ field: 'messages', value: { statuses: [{ id: 'w', status: 'failed', errors: [{ code }] }] } }])
      .statuses[0]?.code
  expect([131026, '131026', 2 ** 31, 1e300, 1.5, -(2 ** 40), 'x', {}, null].map(readCode)).toEqual([
    131026, 131026, 0, 0, 0, 0, 0, 0, 0,
  ])
})
