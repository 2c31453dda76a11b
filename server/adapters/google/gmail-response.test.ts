import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errors } from '#sandbox/gmail/errors.ts'
import { readSendResponse, retryTime } from './gmail-response.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const read = ({ status, body }: { status: number; body: unknown }) =>
  readSendResponse(status, JSON.stringify(body), NOW)

test('gmail response: the retry time of a quota error is read, and limited to 25 hours', () => {
  expect(retryTime('User-rate limit exceeded.  Retry after 2026-11-21T20:00:00.000Z', NOW)?.toISOString()).toBe(
    '2026-11-21T20:00:00.000Z',
  )
  expect(retryTime('Retry after 2026-11-21T12:00:00+01:00 (Mail sending)', NOW)?.getTime()).toBe(NOW + 3_600_000)
  expect(retryTime('Retry after 2099-01-01T00:00:00Z', NOW)?.getTime()).toBe(NOW + 25 * 3_600_000)
  expect(retryTime('Retry after 2020-01-01T00:00:00Z', NOW)?.getTime()).toBe(NOW + 1_000)
  expect(retryTime('User Rate Limit Exceeded', NOW)).toBeUndefined()
})

test.each([
  ['quota', errors.rateLimit(60)],
  ['quota', errors.userRateLimit()],
  ['quota', errors.perMinute()],
  ['quota', errors.mailSending(60)],
  ['sender', errors.projectDay()],
  ['sender', errors.domainPolicy()],
  ['sender', errors.noMail()],
  ['auth', errors.scope()],
  ['auth', errors.unauthenticated()],
] as const)('gmail response: an error of the account defers the message with a problem of kind %s', (kind, result) => {
  expect(read(result)).toMatchObject({ kind: 'deferred', problem: { kind } })
})

test('gmail response: an error of the message fails it, and a server error is tried again', () => {
  expect(read(errors.invalid('Invalid To header')).kind).toBe('failed')
  for (const status of [500, 502, 503]) {
    const result = read(errors.backend(status))
    expect([result.kind, result.problem]).toEqual(['deferred', undefined])
  }
  expect(readSendResponse(504, '').kind).toBe('unconfirmed')
})

test('gmail response: only a 2xx with an id counts as sent, and no 2xx is tried again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, text) => {
      const { kind } = readSendResponse(status, text)
      if (status < 300) expect(['sent', 'unconfirmed']).toContain(kind)
      else expect(kind).not.toBe('sent')
      if (kind === 'sent') expect(JSON.parse(text)).toMatchObject({ id: expect.any(String) })
    }),
  )
})
