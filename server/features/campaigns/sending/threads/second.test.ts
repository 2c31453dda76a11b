import { expect, test } from 'vitest'
import { busyFor, type Span } from './second.ts'

const last = (spans: Omit<Span, 'ms'>[]) => spans.reduce((before, span) => busyFor(before, { ms: 2_000, ...span }), 0)

test('second thread: it counts for how long the first is at its limit while most of a core is idle', () => {
  const atLimit = { busy: 0.95, idleCores: 1.2 }
  expect(last([atLimit, atLimit, atLimit])).toBe(6_000)
  // A limit per second, a slow mail server, or the end of a campaign: one thread is enough.
  expect(last([atLimit, atLimit, { busy: 0.3, idleCores: 1.5 }])).toBe(0)
  expect(last([atLimit, { busy: 0.3, idleCores: 1.5 }, atLimit])).toBe(2_000)
  // Others use most of the machine: a second thread would only take from them.
  expect(last([atLimit, atLimit, { busy: 1, idleCores: 0.4 }])).toBe(0)
})
