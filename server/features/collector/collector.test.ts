import { beforeAll, expect, test } from 'vitest'
import { collector } from '#contracts/collector/collector.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

test('crawl job: start URLs are normalized and deduplicated, and refused ones get a reason', async () => {
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
      ": It is not a web address, such as example.com or https://example.com/team.",
      "not an address: It is not a web address, such as example.com or https://example.com/team.",
      "hello: It is not a web address, such as example.com or https://example.com/team.",
      "ftp://example.com/: It is not the URL of a web page. URLs begin with http:// or https://.",
      "javascript:alert(1): It is not the URL of a web page. URLs begin with http:// or https://.",
      "https://ada:x@example.com/: It contains a user name or password. Enter the URL without them.",
      "http://127.0.0.1/: This address isn’t public, so we can’t scan it.",
      "http://2130706433/: This address isn’t public, so we can’t scan it.",
      "http://0x7f.1/: This address isn’t public, so we can’t scan it.",
      "http://017700000001/: This address isn’t public, so we can’t scan it.",
      "http://[::ffff:7f00:1]/: This address isn’t public, so we can’t scan it.",
      "http://[::1]/: This address isn’t public, so we can’t scan it.",
      "http://169.254.169.254/: This address isn’t public, so we can’t scan it.",
      "http://localhost/: This address isn’t public, so we can’t scan it.",
      "http://db.internal/: This address isn’t public, so we can’t scan it.",
      "http://example.com:8080/: It names port 8080. Only ports 80 and 443 are crawled.",
      "http://127.0.0.1./: This address isn’t public, so we can’t scan it.",
      "http://①②⑦.0.0.1/: This address isn’t public, so we can’t scan it.",
      "10.0.0.8: This address isn’t public, so we can’t scan it.",
      "http://[64:ff9b::a00:1]/: This address isn’t public, so we can’t scan it.",
      "https://example.com/aaaaaaaaaaaaaaaaaaaa: It is longer than 2,000 characters.",
    ]
  `)
})

test('crawl job: no job starts if every URL is refused, and the first URL is named', async () => {
  const person = await t.person()
  await expect(
    person.api(collector.create, { body: { kind: 'email', urls: ['http://10.1.2.3/', 'nonsense'] } }),
  ).rejects.toMatchObject({
    status: 400,
    message: 'http://10.1.2.3/: This address isn’t public, so we can’t scan it.',
  })
  expect((await person.api(collector.list, { query: {} })).items).toEqual([])
})

test('crawl job: ten thousand start URLs are accepted, and one more is refused', async () => {
  const person = await t.person()
  const urls = Array.from({ length: 10_000 }, (_, n) => `https://site${n}.example.com/contact`)
  const job = await person.api(collector.create, { body: { kind: 'phone', country: 'de', urls } })
  expect(job).toMatchObject({ urlCount: 10_000, country: 'DE', name: 'site0.example.com and 9999 more' })
  await expect(
    person.api(collector.create, { body: { kind: 'phone', urls: [...urls, 'https://example.com/'] } }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('10,000') })
})
