import fc from 'fast-check'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { watchRequests } from './request-log.ts'

const logged: string[] = []
const app = Fastify()
watchRequests(app, ({ path }) => logged.push(path))
for (const url of ['/u/:token', '/confirm/:token', '/t/c/:token', '/api/lists/:id', '/*'])
  app.route({ url, method: url === '/u/:token' ? ['GET', 'POST'] : 'GET', handler: async () => 'ok' })
afterAll(() => app.close())

async function loggedPath(url: string, method: 'GET' | 'POST' | 'PUT' = 'GET'): Promise<string> {
  logged.length = 0
  await app.inject({ url, method })
  return logged[0] ?? 'nothing'
}

const SECRET = 'MS4zLnNlY3JldA.kR5_secret-mac'

test.each([
  [`/u/${SECRET}`, '/u/…'],
  [`/t/c/${SECRET}?x=1`, '/t/c/…'],
  [`/confirm/${SECRET}`, '/confirm/…'],
  [`/%63onfirm/${SECRET}`, '/confirm/…'],
  [`/verify-email?token=${SECRET}`, '/verify-email'],
  [`/verify-email%3Ftoken=${SECRET}`, '/verify-email'],
  ['/api/lists/12', '/api/lists/12'],
  ['/blog/a-long-slug-of-a-post-that-has-a-name', '/blog/a-long-slug-of-a-post-that-has-a-name'],
])('request log: GET %s is logged as %s', async (url, path) => {
  expect(await loggedPath(url)).toBe(path)
})

test('request log: a token is not logged, in whatever way its URL is encoded', async () => {
  const encode = (text: string, which: boolean[]) =>
    Array.from(text, (char, i) =>
      which[i % which.length] ? `%${char.charCodeAt(0).toString(16).padStart(2, '0')}` : char,
    ).join('')
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        place: fc.constantFrom('u', 'confirm', 't/c', 't/x', 'U', 'Confirm', 'verify-email?token=', 'verify-email#'),
        encoded: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        times: fc.integer({ min: 0, max: 3 }),
        before: fc.constantFrom('/', '//', '/./', '///'),
        after: fc.constantFrom('', '/', '/more', '?x=1', '%2F', '%', '%zz', ';a'),
        method: fc.constantFrom('GET' as const, 'POST' as const, 'PUT' as const),
      }),
      async ({ place, encoded, times, before, after, method }) => {
        let inner = encode(place, encoded)
        for (let i = 0; i < times; i++) inner = inner.replaceAll('%', '%25')
        const between = place.endsWith('=') || place.endsWith('#') ? '' : '/'
        expect(await loggedPath(`${before}${inner}${between}${SECRET}${after}`, method)).not.toContain('secret')
      },
    ),
    { numRuns: 300 },
  )
})
