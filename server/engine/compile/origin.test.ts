import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { compile, createTokens, prepare, type Recipient, splice } from '../index.ts'
import { draft } from './draft.fixture.ts'

const tokens = createTokens('a secret for tests')

async function mailFor(origin: Recipient['origin'], change = {}) {
  const plan = await compile(draft({ tellsOrigins: true, ...change }))
  const { data } = splice(prepare(plan, tokens), {
    id: '7',
    email: 'bob@example.com',
    name: 'Bob',
    attributes: {},
    origin,
  })
  return PostalMime.parse(data)
}

test('origin: the footer says where an address was found, escaped, for collected contacts only', async () => {
  const url = 'https://firma.example/team?a=1&b=<script>alert(1)</script>'
  const mail = await mailFor({ url, at: new Date('2026-03-09T23:30:00Z') })
  expect(mail.text).toContain(`We found your address on ${url} on 9 March 2026.\n`)
  expect(mail.html).toContain('a=1&amp;b=&lt;script&gt;alert(1)&lt;/script&gt; on 9 March 2026.')
  expect(mail.html?.indexOf('We found')).toBeLessThan(mail.html?.indexOf('1 Road') ?? 0)
  const other = await mailFor(null)
  expect(`${other.text}${other.html}`).not.toMatch(/We found|postlark_origin/)
})

test('origin: it is shown too if the template has its own unsubscribe link', async () => {
  const origin = { url: 'https://firma.example/', at: new Date('2026-03-09T00:00:00Z') }
  const mail = await mailFor(origin, { html: '<p>Hello</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>' })
  expect(mail.html).toContain('We found your address on https://firma.example/ on 9 March 2026.')
  expect(mail.text).toContain('We found your address on https://firma.example/')
})
