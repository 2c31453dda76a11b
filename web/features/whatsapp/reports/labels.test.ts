import { expect, test } from 'vitest'
import { didItWork } from './labels.ts'

const none = { tried: 0, sent: 0, delivered: 0, read: 0, failed: 0, waiting: 0, received: 0, replied: 0, optedOut: 0 }

test.each([
  [{ waiting: 2, failed: 1 }, '2 messages on the way. None has reached a phone yet.'],
  [{ failed: 3 }, 'Nothing was delivered: 3 messages failed.'],
  [{}, 'Nothing has been delivered yet.'],
  [{ delivered: 5, read: 2, replied: 1, optedOut: 1 }, '5 messages delivered, 2 read, 1 person replied, 1 opted out.'],
])('WhatsApp report: %o is said in a sentence', (totals, sentence) => {
  expect(didItWork({ totals: { ...none, ...totals } })).toBe(sentence)
})
