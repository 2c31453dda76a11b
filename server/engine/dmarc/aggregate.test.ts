import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { MAX_ROWS, readAggregate } from './aggregate.ts'
import { looksLikeAggregate, readAggregateMail } from './mail.ts'
import { MAX_XML, unpackXml } from './unpack.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')
const BEGIN = NOW / 1_000 - 2 * 86_400
interface RowInput {
  ip: string
  count: number
  spf: boolean
  dkim: boolean
  disposition: string
}
const record = ({ ip, count, spf, dkim, disposition }: RowInput) =>
  `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition>` +
  `<dkim>${dkim ? 'pass' : 'fail'}</dkim><spf>${spf ? 'pass' : 'fail'}</spf></policy_evaluated></row>` +
  '<identifiers><header_from>Shop.example</header_from></identifiers>' +
  '<auth_results><dkim><domain>shop.example</domain><selector>PL1</selector><result>pass</result></dkim>' +
  '<dkim><domain>shop.example</domain><selector>bad</selector><result>fail</result></dkim></auth_results></record>'
const xmlFor = (records: string, { begin = BEGIN, extra = '', domain = 'shop.example' } = {}) =>
  `<?xml version="1.0"?>${extra}<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0"><report_metadata><org_name>google.com</org_name>` +
  `<report_id>42</report_id><date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata>` +
  `<policy_published><domain>${domain}</domain><p>none</p></policy_published>${records}</feedback>`
const ROW: RowInput = { ip: '192.0.2.7', count: 3, spf: true, dkim: false, disposition: 'none' }
const read = (xml: string) => readAggregate(Buffer.from(xml), NOW)

test('DMARC report: every row is read with what the receiver found', () => {
  const rows = fc.record({
    ip: fc.oneof(fc.ipV4(), fc.constant('2001:db8::1')),
    count: fc.nat(1_000_000),
    spf: fc.boolean(),
    dkim: fc.boolean(),
    disposition: fc.constantFrom('none', 'quarantine', 'reject'),
  })
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 20 }), (given) => {
      const report = read(xmlFor(given.map(record).join('\n')))
      expect(report).toMatchObject({
        reporter: 'google.com',
        reportId: '42',
        domain: 'shop.example',
        begins: BEGIN * 1_000,
      })
      expect(report?.rows).toEqual(
        given.map(({ ip, count, spf, dkim, disposition }) => ({
          ...{
            sourceIp: ip,
            headerFrom: 'shop.example',
            messages: count,
            spfAligned: spf,
            dkimAligned: dkim,
            disposition,
          },
          signatures: ['pl1._domainkey.shop.example'],
        })),
      )
    }),
  )
})

test('DMARC report: whatever comes is read or refused, and never throws', () => {
  const whole = xmlFor(record(ROW))
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(40), fc.string({ unit: 'binary', maxLength: 20 }), (at, length, text) => {
      const changed = whole.slice(0, at) + text + whole.slice(at + length)
      const report = read(changed)
      for (const { messages, disposition } of report?.rows ?? []) {
        expect(Number.isSafeInteger(messages)).toBe(true)
        expect(['none', 'quarantine', 'reject']).toContain(disposition)
      }
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => unpackXml(bytes) === undefined || bytes.length > 0),
  )
})

test.each([
  ['entities', xmlFor(record(ROW), { extra: '<!DOCTYPE feedback [<!ENTITY a "x">]>' })],
  ['no id', xmlFor('').replace('<report_id>42</report_id>', '')],
  ['a name that is no domain', xmlFor('', { domain: 'not a domain' })],
  ['days to come', xmlFor('', { begin: NOW / 1_000 + 10 * 86_400 })],
  ['years ago', xmlFor('', { begin: NOW / 1_000 - 800 * 86_400 })],
  ['elements in elements', `<feedback>${'<a>'.repeat(50)}`],
  ['something else', '<html><body>Hello</body></html>'],
])('DMARC report: one with %s is none', (_, xml) => {
  expect(read(xml)).toBeUndefined()
})

test('DMARC report: what it does not need costs nothing, and long names make it none', () => {
  const others = Array.from({ length: 50_000 }, (_, n) => `<x${n}>${n}</x${n}>`).join('')
  expect(read(xmlFor(record(ROW).replace('</record>', `${others}</record>`)))?.rows).toHaveLength(1)
  // The path of each small element would hold the long name again.
  const name = 'a'.repeat(1_000_000)
  expect(read(`<feedback><${name}>${'<b/>'.repeat(200_000)}</${name}></feedback>`)).toBeUndefined()
  const deep = Array.from({ length: 12 }, (_, n) => `d${n}`)
  const nested =
    deep.map((one) => `<${one}>`).join('') +
    deep
      .toReversed()
      .map((one) => `</${one}>`)
      .join('')
  expect(read(xmlFor(nested + record(ROW)))?.rows).toHaveLength(1)
})

test('DMARC report: rows that cannot be are skipped, and rows beyond the limit', () => {
  const bad = [
    { ...ROW, ip: 'evil' },
    { ...ROW, count: -1 },
  ]
    .map(record)
    .join('')
  expect(read(xmlFor(bad + record({ ...ROW, disposition: 'pass' })))?.rows).toMatchObject([{ disposition: 'none' }])
  expect(read(xmlFor(record(ROW).repeat(MAX_ROWS + 5)))?.rows).toHaveLength(MAX_ROWS)
})

test('DMARC report: XML, gzip and ZIP are unpacked, and bombs are not', () => {
  const xml = Buffer.from(xmlFor(record(ROW)))
  const unpacked = [xml, gzipSync(xml), zipSync({ 'readme.txt': strToU8('x'), 'a.xml': xml })].map(unpackXml)
  for (const bytes of unpacked) expect(Buffer.from(bytes ?? []).equals(xml)).toBe(true)
  const bomb = Buffer.alloc(MAX_XML + 1, ' ')
  for (const bytes of [gzipSync(bomb), zipSync({ 'a.xml': bomb }), bomb, Buffer.from('PK\x03\x04 damaged')])
    expect(unpackXml(bytes)).toBeUndefined()
})

test('DMARC report: an email is known by its subject or file name, and its attachment is read', async () => {
  const file = 'google.com!shop.example!1790000000!1790086399.xml.gz'
  const begin = Math.floor(Date.now() / 1_000) - 86_400
  const mail =
    `From: noreply@google.com\r\nSubject: Report domain: shop.example Submitter: google.com Report-ID: 42\r\nMIME-Version: 1.0\r\n` +
    `Content-Type: application/gzip; name="${file}"\r\nContent-Transfer-Encoding: base64\r\n\r\n` +
    gzipSync(xmlFor(record(ROW), { begin })).toString('base64')
  expect(looksLikeAggregate(mail)).toBe(true)
  expect(looksLikeAggregate(mail.replace('Report domain', 'News from'))).toBe(true)
  expect(looksLikeAggregate('Subject: Report of the year\r\n\r\nDomain')).toBe(false)
  expect(await readAggregateMail(Buffer.from(mail))).toMatchObject({ reportId: '42', rows: [{ messages: 3 }] })
  expect(await readAggregateMail(Buffer.from('Subject: x\r\n\r\nHello'))).toBeUndefined()
})
