import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { processorTime } from '#server/testing/processor-time.ts'
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
  ['<script type="application/ld+json">{"description":"Mail hr&#64;firma.de"}</script>', ['hr@firma.de']],
  [`<script>x="<a data-cfemail=\\"${cloudflare('info@firma.de')}\\">"</script>`, ['info@firma.de']],
  [
    `<a href="/cdn-cgi/l/email-protection#${cloudflare('a@firma.de?cc=b@firma.de')}">x</a>`,
    ['a@firma.de', 'b@firma.de'],
  ],
  ['info at firma dot com.au', ['info@firma.com.au']],
  ['bob "at" firma "dot" com, eve (a t) firma.com', ['bob@firma.com', 'eve@firma.com']],
  ['<p class="turn">ed.amrif@ofni</p>', ['info@firma.de']],
  ['{"email":"info\\u0040firma.de"}', ['info@firma.de']],
  ['iletisim [et] firma [nokta] com', ['iletisim@firma.com']],
  ['info★firma.jp（★を@に変えてください）', ['info@firma.jp']],
  ['{kim, lee}@firma.de', ['kim@firma.de', 'lee@firma.de']],
  [`<script>const p=["info","firma","de"]; a.href=\`mailto:\${p[0]}@\${p[1]}.\${p[2]}\`</script>`, ['info@firma.de']],
  ['<script>m={user:"info",host:"firma.de"};mail(m.user+"@"+m.host)</script>', ['info@firma.de']],
  ['<script>var at=String.fromCharCode(Math.pow(2,6));mail="info"+at+"firma.de"</script>', ['info@firma.de']],
  ['<p>Mail<b>info@firma.de</b>Telefon</p>', ['info@firma.de']],
  ['<svg><text>info@firma.de</text></svg>', ['info@firma.de']],
])('extract: the address in %s is found', (html, expected) => {
  expect(emails(html)).toEqual(expected)
})

test.each([
  '<img src="logo@2x.png">',
  'react@18.2.0 @types/node',
  'git@github.com:foo/bar.git',
  'https://key@o123.ingest.sentry.io/5 ftp://bob@files.firma.de/',
  'you@example.com, name@domain.com',
  'look at example dot com shops',
  'Wir treffen uns (at) Bahnhof. Dot, dot.',
  'Contact me @ twitter dot com slash joe',
  'arn:aws:iam::1:role@prod.com',
  '{firstname.lastname}@firma.de',
  'We meet at noon.then we go',
  'Message-ID: <20240101.abc@mail.firma.de>',
  '<style>@media print { a { color: red } }</style>',
  `<a data-cfemail="${cloudflare('IDOLM@STER')}">x</a>`,
])('extract: no address is found in %s', (html) => {
  expect(emails(html)).toEqual([])
})

test.each([
  ['Tel.: 030 / 1234567, Fax: 030-1234568', 'DE', ['+49301234567', '+49301234568']],
  ['+49 (0)30 901820', undefined, ['+4930901820']],
  ['Call 212-555-0123, 415-555-0134 ext. 12', 'US', ['+12125550123', '+14155550134;ext=12']],
  ['<a href="tel:+49-30-901820;ext=5">x</a>', undefined, ['+4930901820;ext=5']],
  ['<a href="https://wa.me/4915123456789?text=hi">x</a>', undefined, ['+4915123456789']],
  ['Téléphone : 01 42 68 53 00 - SIREN 552 100 554', 'FR', ['+33142685300']],
  ['WhatsApp: 44 7400 123456', undefined, ['+447400123456']],
  ['06.12345671 - 06.12345672', 'IT', ['+390612345671', '+390612345672']],
  ['Mobile 98765 43210, 98765 43211', 'IN', ['+919876543210', '+919876543211']],
  ['+1 212 555 0147 / 0148', undefined, ['+12125550147', '+12125550148']],
  ['Madrid 911 234 560', 'ES', ['+34911234560']],
  ['London 020 7946 0555', 'GB', ['+442079460555']],
  ['جوال: ٠٥١٢٣٤٥٦٧٨', 'SA', ['+966512345678']],
  ['(11) 3123-4567/(11) 99123-4567', 'BR', ['+551131234567', '+5511991234567']],
  ['Tel. 0711 12345-0/-10', 'DE', ['+49711123450', '+497111234510']],
  ['tel 18 201 23 45 lub 18 201 23 46 (24h)', 'PL', ['+48182012345', '+48182012346']],
  ['<span>Oslo 22 12 34 56</span><span>Bergen 55 12 34 56</span>', 'NO', ['+4722123456', '+4755123456']],
  ['+44 20 7946 0555 or 020 7946 0556', undefined, ['+442079460555', '+442079460556']],
  ['<html lang="en"><meta name="geo.region" content="DE-BY">Tel. 089 99998-321', undefined, ['+498999998321']],
])('extract: the phone numbers in %s are found', (html, country, expected) => {
  expect(phones(html, country)).toEqual(expected)
})

test.each([
  'USt-IdNr.: DE 123456789, Steuernummer 12/345/67890',
  '01.02.2024 - 03.02.2024, 12:30-14:00, 1.234.567 EUR, 52.520008, 13.404954',
  'Bestellnummer 0301234567',
  'IBAN DE89 3704 0044 0532 0130 00',
  'Chrome/124.0.6367.118',
  'Seite 20 40 60 80',
  'Model T-030 1234567-X, Vertragsnummer 0892345678',
  'Partita IVA e C.F. 06123456789',
])('extract: no phone number is found in %s', (html) => {
  expect(phones(html, 'DE')).toEqual([])
})

test('extract: the country of a JSON-LD address may be a name', () => {
  const json = '{"@type":"Store","address":{"addressCountry":"Deutschland"},"telephone":"030 23125147"}'
  expect(phones(`<script type="application/ld+json">${json}</script>`)).toEqual(['+493023125147'])
})

const CARDS: [string, object][] = [
  [
    '<div class="vcard"><b class="fn">Ada Example</b>, <i class="org">Firma GmbH</i> <a href="mailto:ada@firma.de">@</a></div>',
    { name: 'Ada Example', organization: 'Firma GmbH' },
  ],
  [
    '<p class="h-card"><a class="p-name u-email" href="mailto:ada@firma.de">Ada Example</a></p>',
    { name: 'Ada Example' },
  ],
  [
    '<div itemscope itemtype="https://schema.org/Organization"><b itemprop="name">Firma GmbH</b><div itemprop="employee" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ada Example</b> ada@firma.de</div></div>',
    { name: 'Ada Example', organization: 'Firma GmbH' },
  ],
  [
    '<div vocab="https://schema.org/" typeof="Person"><b property="name">Ada Example</b> <i property="email">ada@firma.de</i></div>',
    { name: 'Ada Example' },
  ],
  [
    '<pre>BEGIN:VCARD\nFN:Ada Example\nORG:Firma GmbH\nEMAIL:ada@firma.de\nEND:VCARD</pre>',
    { name: 'Ada Example', organization: 'Firma GmbH' },
  ],
]
test.each(CARDS)('extract: the name of the contact is taken from %s', (html, expected) => {
  expect(read(html)[0]).toMatchObject({ value: 'ada@firma.de', ...expected })
})

test('extract: a phone number gets the name of its vCard', () => {
  const html = '<div class="vcard"><b class="fn">Ada Example</b> Tel. <span class="tel">030 23125147</span></div>'
  expect(read(html, { country: 'DE' })[0]).toMatchObject({ value: '+493023125147', name: 'Ada Example' })
})

test('extract: only the requested kind of contact is returned', () => {
  const html = 'info@firma.de, Tel. 030 23125147'
  expect(extractContacts(html, { url: 'https://firma.de/', kinds: ['phone'] }).map(({ kind }) => kind)).toEqual([
    'phone',
  ])
  expect(extractContacts(html, { url: 'https://firma.de/', kinds: ['email'] }).map(({ kind }) => kind)).toEqual([
    'email',
  ])
})

test('extract: the confidence is higher the more certain the source is', () => {
  const places = [
    '<a href="mailto:info@firma.de">x</a>',
    'info@firma.de',
    'info [at] firma [dot] de',
    '<script>mail = "info" + "@firma.de"</script>',
    '<!-- info@firma.de -->',
  ]
  const sure = places.map((html) => read(html)[0]?.confidence ?? 0)
  expect(sure).toEqual([...sure].sort((a, b) => b - a))
  expect(new Set(sure).size).toBe(places.length)
})

test('extract: an address gets the name and organization that JSON-LD states', () => {
  const html =
    '<script type="application/ld+json">{"@type":"Organization","name":"Firma GmbH","employee":{"@type":"Person","name":"Ada Example","email":"ada@firma.de"}}</script>'
  expect(read(html)[0]).toMatchObject({ value: 'ada@firma.de', name: 'Ada Example', organization: 'Firma GmbH' })
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

test('extract: any page is read without an error, and every result is an address or a number', () => {
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

/** The crawler reads 2 MB of a page; what grows with the square takes minutes for a quarter of it as well. */
const SIZE = isLong ? 2_000_000 : 500_000
const filled = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length))
test.each([
  ['word characters', filled('a')],
  ['signs', filled('@')],
  ['dots', filled('a.')],
  ['dashes', filled('a-')],
  ['brackets', filled('[at] ')],
  ['words of addresses', filled('info at firma dot ')],
  ['addresses', filled('info@firma.de ')],
  ['groups of names', filled('{a,b}@')],
  ['digits', filled('1 ')],
  ['numbers', filled('030 1234567, ')],
  ['brackets and digits', filled('(0')],
  ['labels', filled('USt-Nr. 1234567 ')],
  ['digits of another script', filled('٠١')],
  ['open tags', filled('<b>')],
  ['links', filled('<a href="/x">a</a>')],
  ['links that never end', filled('<a href=x>')],
  ['mail links', filled('<a href="mailto:a@firma.de">a</a>')],
  ['attributes', filled('<p data-a="x@y" data-b="z">')],
  ['cards', filled('<div class=vcard><b class=fn>A</b>a@firma.de</div>')],
  ['cards in cards', filled('<div itemscope itemtype=Person><a href="mailto:a@b.de"></a>')],
  ['vCards that never end', filled('BEGIN:VCARD\n')],
  ['entities', filled('&#64')],
  ['rules of style', `<style>${filled('.a{content:"@"}')}</style>`],
  ['JSON', `<script type="application/ld+json">${filled('[')}</script>`],
  ['a script of plus signs', `<script>${filled('"@"+')}</script>`],
  ['brackets in a script', `<script>"@";${filled('(')}</script>`],
  ['quotes in a script', `<script>mail ${filled('"')}</script>`],
])('extract: a page of nothing but %s is read in bounded time', async (_, text) => {
  // In milliseconds; well under a second where this was written.
  expect(await processorTime(() => read(text, { country: 'DE' }))).toBeLessThan(SIZE / 500)
})
