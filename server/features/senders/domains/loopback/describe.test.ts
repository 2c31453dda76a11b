import { expect, test } from 'vitest'
import { describeResult } from './describe.ts'

const signature = { domain: 'shop.example', selector: 's', state: 'pass' as const, aligned: true, reason: '' }
const passing: Parameters<typeof describeResult>[0] = {
  ...{ dkim: 'pass', signatures: [signature], tls: 'TLSv1.3', unsubscribeSigned: true, seconds: 1 },
  spf: {
    state: 'pass',
    ip: '93.184.215.14',
    mailFrom: 'a@shop.example',
    domain: 'shop.example',
    aligned: true,
    reason: '',
  },
  dmarc: { state: 'pass', policy: 'none' },
}
const spf = (change: Partial<typeof passing.spf>) => ({ spf: { ...passing.spf, ...change } })

test.each([
  ['nothing', {}, 'pass', /passes every check/],
  ['a private address', spf({ state: 'unknown', ip: '10.0.0.2' }), 'pass', /SPF cannot be judged.*10\.0\.0\.2/],
  ['no encryption', { tls: null }, 'warning', /STARTTLS/],
  ['no encryption from a private address', { tls: null, ...spf({ ip: '10.0.0.2' }) }, 'pass', /every check/],
  ['unsubscribe headers', { unsubscribeSigned: false }, 'warning', /unsubscribe headers/],
  ['SPF', spf({ state: 'fail' }), 'warning', /does not name 93\.184\.215\.14/],
  [
    'a broken SPF record',
    spf({ state: 'fail', reason: 'too many lookups' }),
    'warning',
    /cannot be evaluated: too many/,
  ],
  ['no SPF record', spf({ state: 'none' }), 'warning', /no SPF record/],
  ['SPF that DNS does not tell', spf({ state: 'unknown' }), 'unknown', /DNS did not respond/],
  ['no DMARC record', { dmarc: { state: 'none', policy: null } }, 'fail', /no DMARC record/],
  ['DMARC', { dmarc: { state: 'fail', policy: 'reject' } }, 'fail', /fails DMARC/],
  [
    'a signature of somebody else',
    { dkim: 'fail', signatures: [{ ...signature, domain: 'relay.example', aligned: false }] },
    'fail',
    /signed by relay\.example, which is not aligned/,
  ],
] as const)('loopback: %s is the sentence about an email', (_, change, verdict, message) => {
  expect(describeResult({ ...passing, ...change } as typeof passing)).toEqual({
    verdict,
    message: expect.stringMatching(message),
  })
})
