import { expect, test } from 'vitest'
import { followSubject, nameFromSubject, wasTrimmed } from './choices.ts'
import { adviseLine } from './line-advice.ts'

test.each([
  ['', 'subject', 'Up to 60'],
  ['Spring news', 'subject', '11 characters. Good length.'],
  ['x'.repeat(61), 'subject', '61 characters. Phones cut it off after about 60.'],
  ['Hi {{ first_name | default: "a very long default for this field" }}', 'subject', '9 characters. Good'],
  ['👋👋', 'preview', '2 characters. 35 or more'],
  ['x'.repeat(111), 'preview', '111 characters. Phones cut'],
] as const)('subject line: the advice for %j as a %s is %j', (text, kind, advice) => {
  expect(adviseLine(text, kind)).toContain(advice)
})

test.each([
  ['Spring news for {{ name }}', 'Spring news'],
  ['Welcome, {{ name }}!', 'Welcome!'],
  ['{{ first_name }}, your order', 'your order'],
  ['{% if name %}Hi {{ name }}{% endif %}', 'Hi'],
  ['{{ name }}', ''],
  ['x'.repeat(200), 'x'.repeat(120)],
])('campaign name: the subject %j makes %j', (subject, name) => {
  expect(nameFromSubject(subject)).toBe(name)
})

const DAY = '2026-11-24T12:00:00.000Z'

test('campaign name: it follows the subject until it is edited', () => {
  const first = { name: 'Campaign 24 Nov 2026', subject: '' }
  expect(followSubject(first, 'Spring', DAY)).toBe('Spring')
  expect(followSubject({ name: 'Spring', subject: 'Spring' }, 'Spring sale', DAY)).toBe('Spring sale')
  expect(followSubject({ name: 'Spring', subject: 'Spring' }, '', DAY)).toBe('Campaign 24 Nov 2026')
  expect(followSubject({ name: 'My own', subject: 'Spring' }, 'Spring sale', DAY)).toBeUndefined()
  expect(followSubject({ name: '', subject: 'Spring' }, 'Sale', DAY)).toBe('Sale')
})

test('draft: a text that was stored without its spaces stays as it is being typed', () => {
  expect([wasTrimmed('News for ', 'News for'), wasTrimmed('News', 'News'), wasTrimmed('News ', 'Other')]).toEqual([
    true,
    false,
    false,
  ])
  expect(wasTrimmed(null, '')).toBe(false)
})
