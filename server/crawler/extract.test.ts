import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extractContacts } from './index.ts'

const read = (html: string, options: { country?: string; url?: string } = {}) =>
  extractContacts(html, { url: 'https://firma.de/', ...options })
const emails = (html: string) =>
  read(html)
    .filter(({ kind }) => kind === 'email')
    .map(({ value }) => value)
    .sort()
const phones = (html: string, country?: string) =>
  read(html, { url: 'https://firm.com/', ...(country && { country }) })
    .filter(({ kind }) => kind === 'phone')
    .map(({ value }) => value)
    .sort()

const cloudflare = (text: string, key = 0x42) =>
  Buffer.from([key, ...Buffer.from(text).map((byte) => byte ^ key)]).toString('hex')

test.each([
  ['<a href="mailto:info@firma.de?subject=Hi&cc=b@firma.de">x</a>', ['b@firma.de', 'info@firma.de']],
  ['info&#64;firma&#x2e;de', ['info@firma.de']],
  ['<span>in</span><span>fo</span>@<b>firma</b>.<!-- x -->de', ['info@firma.de']],
  ['info [at] firma [dot] de', ['info@firma.de']],
  ['info (ät) firma (punkt) de', ['info@firma.de']],
  ['john dot doe at firma dot com', ['john.doe@firma.com']],
  [`<a data-cfemail="${cloudflare('info@firma.de')}">[email protected]</a>`, ['info@firma.de']],
  [`<a href="/cdn-cgi/l/email-protection#${cloudflare('info@firma.de?subject=x')}">x</a>`, ['info@firma.de']],
  ['<span style="unicode-bidi:bidi-override;direction:rtl">ed.amrif@ofni</span>', ['info@firma.de']],
  ['<style>.m::after{content:"@firma.de"}</style><span class="m">info</span>', ['info@firma.de']],
  ['info<span style="display:none">null</span>@firma.de', ['info@firma.de']],
  ['<a data-user="info" data-domain="firma.de">x</a>', ['info@firma.de']],
  ['<a data-enc-email="vasb[at]svezn.qr">x</a>', ['info@firma.de']],
  ['<a href="javascript:linkTo_UnCryptMailto(\'nbjmup+jogpAgjsnb\\/ef\');">x</a>', ['info@firma.de']],
  ['<script>document.write("mai"+"lto:info"+String.fromCharCode(64)+"firma.de")</script>', ['info@firma.de']],
  ['<script>var a = ["info","firma.de"].join("@")</script>', ['info@firma.de']],
  ['<script>self.x={"email":"info\\u0040firma.de"}</script>', ['info@firma.de']],
  ['<script type="application/ld+json">{"email":"info@firma.de"}</script>', ['info@firma.de']],
  ['Schreiben Sie an info@firma.de.Wir antworten', ['info@firma.de']],
  ['info@firma.deTelefon 030', ['info@firma.de']],
  ['info@müller-söhne.de', ['info@xn--mller-shne-kcb9d.de']],
])('finds the address in %s', (html, expected) => {
  expect(emails(html)).toEqual(expected)
})

test.each([
  '<img src="logo@2x.png">',
  'react@18.2.0 @types/node',
  'git@github.com:foo/bar.git',
  'https://key@o123.ingest.sentry.io/5 ftp://bob@files.firma.de/',
  'you@example.com, name@domain.com',
  'look at example dot com shops',
  'We meet at noon.then we go',
  'Message-ID: <20240101.abc@mail.firma.de>',
  '<style>@media print { a { color: red } }</style>',
  `<a data-cfemail="${cloudflare('IDOLM@STER')}">x</a>`,
])('finds no address in %s', (html) => {
  expect(emails(html)).toEqual([])
})

test.each([
  ['Tel.: 030 / 1234567, Fax: 030-1234568', 'DE', ['+49301234567', '+49301234568']],
  ['+49 (0)30 901820', undefined, ['+4930901820']],
  ['Call 212-555-0123, 415-555-0134 ext. 12', 'US', ['+12125550123', '+14155550134;ext=12']],
  ['<a href="tel:+49-30-901820;ext=5">x</a>', undefined, ['+4930901820;ext=5']],
  ['<a href="https://wa.me/4915123456789?text=hi">x</a>', undefined, ['+4915123456789']],
  ['Téléphone : 01 42 68 53 00 - SIREN 552 100 554', 'FR', ['+33142685300']],
])('finds the numbers in %s', (html, country, expected) => {
  expect(phones(html, country)).toEqual(expected)
})

test.each([
  'USt-IdNr.: DE 123456789, Steuernummer 12/345/67890',
  '01.02.2024 - 03.02.2024, 12:30-14:00, 1.234.567 EUR, 52.520008, 13.404954',
  'Bestellnummer 0301234567',
  'IBAN DE89 3704 0044 0532 0130 00',
])('finds no number in %s', (html) => {
  expect(phones(html, 'DE')).toEqual([])
})

test('a name the page states comes along', () => {
  const html =
    '<script type="application/ld+json">{"@type":"Organization","name":"Firma GmbH","employee":{"@type":"Person","name":"Ada Example","email":"ada@firma.de"}}</script>'
  expect(read(html)[0]).toMatchObject({ value: 'ada@firma.de', name: 'Ada Example', organisation: 'Firma GmbH' })
})

const pieces = fc.constantFrom(
  ...['@', ' at ', '[at]', '.', 'dot', 'info', 'firma.de', '<b>', '</b>', '<script>', '</script>', '"', "'", '+', '('],
  ...[
    '&#64;',
    '\\u0040',
    'mailto:',
    '<a href="',
    '">',
    '<!--',
    '-->',
    '0301234567',
    '+49',
    ' / ',
    '%40',
    '<style>',
    '{',
  ],
)

test('whatever a page holds, reading it never fails, and what is found has the form of an address or a number', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 60 }), (parts) => {
      for (const { kind, value } of read(parts.join(''), { country: 'DE' }))
        expect(value).toMatch(
          kind === 'email' ? /^[^\s@<>]+@[a-z0-9.-]+\.[a-z0-9-]{2,}$/ : /^\+\d{6,15}(;ext=\d{1,7})?$/,
        )
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['word characters', 'a'.repeat(1_000_000)],
  ['signs', '@'.repeat(300_000)],
  ['dots', 'a.'.repeat(300_000)],
  ['brackets', '[at] '.repeat(150_000)],
  ['words of addresses', 'info at firma dot '.repeat(40_000)],
  ['digits', '1 '.repeat(300_000)],
  ['open tags', '<b>'.repeat(200_000)],
  ['a script of plus signs', `<script>${'"@"+'.repeat(100_000)}</script>`],
  ['brackets in a script', `<script>"@";${'('.repeat(100_000)}</script>`],
])('a page of nothing but %s takes a bounded time', (_, text) => {
  const started = performance.now()
  read(text, { country: 'DE' })
  // Slow machines are a few times slower; what grows with the square would take minutes.
  expect(performance.now() - started).toBeLessThan(15_000)
})
