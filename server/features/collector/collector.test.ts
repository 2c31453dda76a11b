import { afterAll, beforeAll, expect, test } from 'vitest'
import { collector } from '#contracts/collector.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ environment: { COLLECTOR_ALLOW_PRIVATE: '127.0.0.1:9' } })
})
afterAll(() => t[Symbol.asyncDispose]())

test('addresses are understood, doubles folded, and what cannot be asked is named with its reason', async () => {
  const person = await t.person()
  const job = await person.api(collector.create, {
    body: {
      kind: 'email',
      urls: [
        'example.com',
        'https://EXAMPLE.com/#top',
        'http://www.example.org/team?utm_source=x',
        'http://127.0.0.1:9/',
        ...['', 'not an address', 'hello', 'ftp://example.com/', 'javascript:alert(1)', 'https://ada:x@example.com/'],
        ...[
          'http://127.0.0.1/',
          'http://2130706433/',
          'http://0x7f.1/',
          'http://017700000001/',
          'http://[::ffff:7f00:1]/',
        ],
        ...[
          'http://[::1]/',
          'http://169.254.169.254/',
          'http://localhost/',
          'http://db.internal/',
          'http://example.com:8080/',
        ],
        ...[
          'http://127.0.0.1./',
          'http://①②⑦.0.0.1/',
          '10.0.0.8',
          'http://[64:ff9b::a00:1]/',
          `https://example.com/${'a'.repeat(3_000)}`,
        ],
      ],
    },
  })
  expect(job.urls).toEqual(['https://example.com/', 'http://www.example.org/team', 'http://127.0.0.1:9/'])
  expect(job).toMatchObject({ urlCount: 3, pagesQueued: 3, name: 'example.com and 2 more', kind: 'email' })
  expect(job.refused.map(({ url, reason }) => `${url.slice(0, 40)}: ${reason}`)).toMatchInlineSnapshot(`
    [
      ": is empty",
      "not an address: is not a web address",
      "hello: is not a web address: its name has no dot",
      "ftp://example.com/: begins with ftp:, and only web pages (http, https) can be read",
      "javascript:alert(1): begins with javascript:, and only web pages (http, https) can be read",
      "https://ada:x@example.com/: has a user name or password in it; only public pages are read",
      "http://127.0.0.1/: leads into a private network, not to the public web",
      "http://2130706433/: leads into a private network, not to the public web",
      "http://0x7f.1/: leads into a private network, not to the public web",
      "http://017700000001/: leads into a private network, not to the public web",
      "http://[::ffff:7f00:1]/: leads into a private network, not to the public web",
      "http://[::1]/: leads into a private network, not to the public web",
      "http://169.254.169.254/: leads into a private network, not to the public web",
      "http://localhost/: leads into a private network, not to the public web",
      "http://db.internal/: leads into a private network, not to the public web",
      "http://example.com:8080/: names port 8080; only the web's own ports 80 and 443 are asked",
      "http://127.0.0.1./: leads into a private network, not to the public web",
      "http://①②⑦.0.0.1/: leads into a private network, not to the public web",
      "10.0.0.8: leads into a private network, not to the public web",
      "http://[64:ff9b::a00:1]/: leads into a private network, not to the public web",
      "https://example.com/aaaaaaaaaaaaaaaaaaaa: is longer than 2,000 characters",
    ]
  `)
})

test('when no address can be asked nothing begins, and the first is named', async () => {
  const person = await t.person()
  await expect(
    person.api(collector.create, { body: { kind: 'email', urls: ['http://10.1.2.3/', 'nonsense'] } }),
  ).rejects.toMatchObject({
    status: 400,
    message: 'urls: http://10.1.2.3/ leads into a private network, not to the public web. Nothing was started.',
  })
  expect((await person.api(collector.list, { query: {} })).items).toEqual([])
})

test('ten thousand addresses are taken at once', async () => {
  const person = await t.person()
  const urls = Array.from({ length: 10_000 }, (_, n) => `https://site${n}.example.com/contact`)
  const begun = performance.now()
  const job = await person.api(collector.create, { body: { kind: 'phone', country: 'de', urls } })
  expect(job).toMatchObject({ urlCount: 10_000, country: 'DE', name: 'site0.example.com and 9999 more' })
  console.log('10,000 addresses', performance.now() - begun)
  await expect(
    person.api(collector.create, { body: { kind: 'phone', urls: [...urls, 'https://example.com/'] } }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('10,000') })
})
