import { expect, test } from 'vitest'
import { findReturnPath } from './return-path.ts'

const search = (path: string) => `?return=${encodeURIComponent(path)}`

test('return path: a path of our own is kept with its query', () => {
  expect(findReturnPath(search('/email-sender/new?campaign=3&step=template#top'))).toBe(
    '/email-sender/new?campaign=3&step=template#top',
  )
})

test.each([
  '',
  'https://evil.test/x',
  '//evil.test/x',
  '/\\evil.test',
  '/\t/evil.test',
  '/..//evil.test',
  'javascript:alert(1)',
  'email-sender',
])('return path: %j leads to the templates', (path) => {
  expect(findReturnPath(search(path))).toBe('/my-templates')
})
