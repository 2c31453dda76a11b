import { expect, test } from 'vitest'
import { planLabel, toInitials } from './user-badge.ts'

test('user badge: the initials are of the first and last name, and U without a name', () => {
  const given = ['Ada Lovelace', 'ada', '  Juan  Carlos de la  Cruz ', '', undefined, '🐦 bird']
  expect(given.map(toInitials)).toEqual(['AL', 'A', 'JC', 'U', 'U', '🐦B'])
})

test('user badge: a paid plan is capitalized, and a free one is shown as Free User', () => {
  expect(['pro', 'Business', 'free', 'FREE', undefined].map(planLabel)).toEqual([
    'Pro Plan',
    'Business Plan',
    'Free User',
    'Free User',
    'Free User',
  ])
})
