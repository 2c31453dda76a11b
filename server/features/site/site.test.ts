import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import { contact } from '#contracts/site/contact-form.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { makeWord, wordFault } from './form-word.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const MINUTE = 60_000
/** A form opened a minute ago, so that nobody has to wait. */
const openedForm = () => makeWord(t.services.config.secretKey, Date.now() - MINUTE)
const message = (change: object = {}) => ({
  name: 'Ida Example',
  email: 'ida@example.com',
  message: 'Do you speak MJML?\nI do.',
  form: openedForm(),
  ...change,
})
const send = (body: object, address = '203.0.113.1') =>
  t.inject({ method: 'POST', url: '/api/contact', payload: body, remoteAddress: address })

test('contact form: a message is emailed to the first admin with Reply-To, and sent once', async () => {
  const body = message()
  const response = await send(body)
  expect([response.statusCode, response.json().message]).toEqual([202, expect.stringContaining('on its way')])
  const mail = await t.sink.mailTo('admin@example.com')
  expect(mail.subject).toBe('Message from Ida Example')
  expect(mail.replyTo).toEqual([{ name: '', address: 'ida@example.com' }])
  expect(mail.text?.replaceAll('\r\n', '\n')).toContain('Do you speak MJML?\nI do.')
  expect((await send(body)).statusCode).toBe(409)
})

test('contact form: a form sent too fast, too late, forged, by a bot or incomplete is refused by field', async () => {
  const secret = t.services.config.secretKey
  for (const [change, field] of [
    [{ form: makeWord(secret) }, 'form'],
    [{ form: makeWord(secret, Date.now() - 25 * 60 * MINUTE) }, 'form'],
    [{ form: makeWord('another secret that is long enough', Date.now() - MINUTE) }, 'form'],
    [{ website: 'https://spam.example' }, 'website'],
    [{ name: 'Two\nlines' }, 'name'],
    [{ email: 'ida' }, 'email'],
    [{ message: ' short ' }, 'message'],
  ] as const) {
    const response = await send(message(change), '203.0.113.2')
    expect([response.statusCode, response.json().details?.[0]?.field], JSON.stringify(change)).toEqual([400, field])
  }
})

test('contact form: a visitor sends at most five messages an hour, and others are not limited', async () => {
  for (let n = 0; n < 5; n++) expect((await send(message(), '203.0.113.3')).statusCode).toBe(202)
  const response = await send(message(), '203.0.113.3')
  expect([response.statusCode, Number(response.headers['retry-after']) > 60]).toEqual([429, true])
  expect((await send(message(), '203.0.113.4')).statusCode).toBe(202)
})

test('contact form: it works without JavaScript and redirects back to the page', async () => {
  const post = (fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return fetch(`${t.address}/api/contact`, { method: 'POST', body: form, redirect: 'manual' })
  }
  const sent = await post({ ...message({ name: 'Plain Form' }), website: '' })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/contact?sent=1#write'])
  await t.sink.waitFor((mail) => mail.raw.includes('Message from Plain Form'))
  const wrong = await post(message({ email: 'nobody' }))
  expect(wrong.headers.get('location')).toBe('/contact?problem=email#write')
})

test('contact form: the API returns a form token that is not valid at once', async () => {
  const { form } = await t.api(contact.form)
  expect(wordFault(t.services.config.secretKey, form)).toBe('early')
})

test('contact form: only tokens made with the secret key are valid', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 32 }), (text, secret) => {
      expect(wordFault(secret, text)).toBe('forged')
      const word = makeWord(secret, Date.now() - MINUTE)
      expect(wordFault(secret, word)).toBeUndefined()
      expect(wordFault(secret, word + text)).toBe(text === '' ? undefined : 'forged')
    }),
  )
})

test('robots.txt: robots.txt and sitemap list public pages and exclude private ones', async () => {
  const robots = await t.inject('/robots.txt')
  expect(robots.headers['content-type']).toContain('text/plain')
  expect(robots.body).toContain('Disallow: /api/\n')
  expect(robots.body).toContain('Sitemap: http://localhost:3000/sitemap.xml')
  const map = await t.inject('/sitemap.xml')
  expect(map.headers['content-type']).toContain('application/xml')
  expect(map.body).toContain('<loc>http://localhost:3000/pricing</loc>')
  const admin = await t.person({ role: 'admin' })
  const form = new FormData()
  form.set('title', 'What a robot reads')
  form.set('content', '<p>This.</p>')
  await admin.api(blog.create, { form } as never)
  expect((await t.inject('/sitemap.xml')).body).toMatch(
    /<loc>http:\/\/localhost:3000\/blog\/what-a-robot-reads<\/loc><lastmod>\d{4}-/,
  )
})
