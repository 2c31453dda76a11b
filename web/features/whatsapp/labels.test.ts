import { expect, test } from 'vitest'
import { limitInWords, limitUseInWords } from './labels.ts'

test.each([
  [{ tier: 'TIER_2K', dailyLimit: 2_000, usedToday: 0 }, '2,000 people a day', '0 of 2,000 new conversations started'],
  [{ tier: 'TIER_UNLIMITED', dailyLimit: null, usedToday: 1 }, 'No limit', '1 new conversation started'],
  [{ tier: 'TIER_NEW', dailyLimit: null, usedToday: 12 }, 'Unknown', '12 new conversations started'],
])('whatsapp: the messaging limit of %o is said in words', (number, limit, used) => {
  expect(limitInWords(number)).toBe(limit)
  expect(limitUseInWords(number)).toBe(`${used} in the last 24 hours`)
})
