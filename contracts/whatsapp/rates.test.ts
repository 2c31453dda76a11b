import { expect, test } from 'vitest'
import { countRates } from './rates.ts'

test('WhatsApp rates: what was handed over is the whole, and readers are a share of those delivered', () => {
  // Ten handed over: one failed, one waits for a phone.
  expect(countRates({ tried: 10, delivered: 8, read: 4, failed: 1, replied: 2, optedOut: 1 })).toEqual({
    delivered: 0.8,
    failure: 0.1,
    read: 0.5,
    reply: 0.25,
    optOut: 0.125,
  })
})

test('WhatsApp rates: of nothing there is no share', () => {
  expect(countRates({ tried: 0, delivered: 0, read: 0, failed: 0 })).toEqual({
    delivered: null,
    failure: null,
    read: null,
    reply: null,
    optOut: null,
  })
  expect(countRates({ tried: 3, delivered: 0, read: 0, failed: 3 })).toMatchObject({
    delivered: 0,
    failure: 1,
    read: null,
  })
})
