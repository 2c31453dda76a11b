import { expect, test } from 'vitest'
import { factList, formatDetails } from './labels.ts'

test('audit log: the facts of a line are named in words', () => {
  const connected = { details: { phoneNumberId: '17', reads: true, note: '' } }
  expect(formatDetails(connected)).toBe('phone number ID: 17 · reads')
  expect(factList(connected)).toEqual([
    ['Phone number ID', '17'],
    ['Reads', 'yes'],
  ])
  expect(formatDetails({ details: { changed: ['accessToken', 'appSecret'] } })).toBe('access token, app secret')
})
