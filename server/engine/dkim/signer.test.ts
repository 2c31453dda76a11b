import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import nodemailer from 'nodemailer'
import { expect, test } from 'vitest'
import { draft } from '../compile/draft.fixture.ts'
import { compile, createTokens, prepare, splice } from '../index.ts'
import { createSigner } from './signer.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const pem = (key: typeof rsa.privateKey) => key.export({ type: 'pkcs8', format: 'pem' }) as string
const signer = createSigner([
  { domain: 'example.com', selector: 'ed', algorithm: 'ed25519', privateKey: pem(ed25519.privateKey) },
  { domain: 'example.com', selector: 'rsa', algorithm: 'rsa', privateKey: pem(rsa.privateKey) },
])
const records: Record<string, string> = {
  'rsa._domainkey.example.com': `v=DKIM1; k=rsa; p=${rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  'ed._domainkey.example.com': `v=DKIM1; k=ed25519; p=${ed25519.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`,
}
const resolver = async (name: string) => [[records[name] ?? '']]

async function sign(message: Buffer): Promise<Buffer> {
  const { data, ready } = signer.sign(message)
  const size = data.length
  await ready
  expect(data.length).toBe(size)
  expect(data.subarray(-message.length).equals(message)).toBe(true)
  return data
}

/** What mailauth says of each signature: result and algorithm. */
async function verify(message: Buffer) {
  const { results } = await dkimVerify(message, { resolver })
  return results.map(({ status, algo, signingHeaders }) => ({
    result: status.result,
    algo,
    keys: signingHeaders?.keys.toLowerCase() ?? '',
  }))
}

async function expectBoth(message: Buffer, ...fields: string[]): Promise<void> {
  const results = await verify(await sign(message))
  expect(results.map(({ result, algo }) => `${algo} ${result}`).sort()).toEqual([
    'ed25519-sha256 pass',
    'rsa-sha256 pass',
  ])
  for (const { keys } of results) for (const field of ['from', ...fields]) expect(keys).toContain(field)
}

const campaign = async (change: object, attachments = '') =>
  splice(prepare(await compile({ ...draft(), ...change }), createTokens('test'), attachments), {
    id: '1',
    email: 'ada@example.org',
    name: 'Zoë Ünïcode',
  }).data

test.each([
  ['HTML and text', {}],
  [
    'a subject and a From name beyond ASCII',
    { subject: 'Grüße 👋 an {{ name }}', from: { name: 'Zoë 株式会社', address: 'zoe@example.com' } },
  ],
  ['lines that begin with a dot', { text: '.\n..\n. a\n\n.\n', html: '<p>.</p>' }],
  [
    'very long lines',
    { text: 'long '.repeat(5_000), html: `<p>${'word'.repeat(4_000)}</p>`, subject: 'long '.repeat(90) },
  ],
] as const)('DKIM: mailauth verifies a campaign email with %s', async (_, change) => {
  await expectBoth(
    await campaign(change),
    'list-unsubscribe',
    'list-unsubscribe-post',
    'message-id',
    'mime-version',
    'date',
    'to',
    'subject',
  )
})

test('DKIM: mailauth verifies a campaign email with attachments', async () => {
  const part =
    '--=_postlark_mixed_=\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n'
  await expectBoth(await campaign({}, part), 'content-type')
})

test.each([
  ['text only', { text: 'Hello\n\n\n' }],
  [
    'an inline image',
    { html: '<img src="cid:a">', attachments: [{ cid: 'a', filename: 'a.png', content: Buffer.alloc(3_000, 7) }] },
  ],
  [
    'an attachment with a name beyond ASCII',
    { text: 'Hi', attachments: [{ filename: 'Übersicht.pdf', content: Buffer.alloc(100) }] },
  ],
])('DKIM: mailauth verifies an email composed by nodemailer with %s', async (_, content) => {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await composer.sendMail({
    from: { name: 'Zoë', address: 'zoe@example.com' },
    to: 'ada@example.org',
    subject: 'Grüße',
    ...content,
  })
  await expectBoth(message as Buffer)
})

test('DKIM: what is changed on the way breaks the signatures, and so does a second From', async () => {
  const signed = (await sign(await campaign({}))).toString('latin1')
  const fails = async (text: string) =>
    expect((await verify(Buffer.from(text, 'latin1'))).every(({ result }) => result !== 'pass')).toBe(true)
  await fails(signed.replace('Subject: ', 'Subject: Win '))
  await fails(signed.replace('List-Unsubscribe: <', 'List-Unsubscribe: <https://evil.example/>, <'))
  await fails(signed.replace('\r\nTo: ', '\r\nFrom: <evil@example.net>\r\nTo: '))
  await fails(`${signed}more\r\n`)
})

test('DKIM: mailauth verifies any body that ends its last line, and any white space', async () => {
  const piece = fc.constantFrom('a', ' ', '  ', '\t', '\r\n', '\r\n\r\n', '.', 'ü', 'word ', ' \r\n', '=')
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(text, text, async (subject, body) => {
      const head = `From: <a@example.com>\r\nSubject: ${subject.replaceAll('\r\n', '\r\n ')}x\r\nTo:<b@example.com>`
      const results = await verify(await sign(Buffer.from(`${head}\r\n\r\n${body}\r\n`)))
      expect(results.map(({ result }) => result)).toEqual(['pass', 'pass'])
    }),
    { numRuns: 600 },
  )
})
