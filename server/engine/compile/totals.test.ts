import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { compile, createTokens, prepare, type Recipient, splice } from '../index.ts'
import { draft } from './draft.fixture.ts'
import { renderSharedView } from './splice.ts'

const tokens = createTokens('a secret for tests')

const HTML = `<html><body><p>Hello {{ name }}</p><a href="https://example.com/a?x=1">a</a><a href="{{ view_url }}">Browser</a>
{% if name %}<a href="https://example.com/b">b</a><a href="{% if phone %}https://example.com/c{% else %}https://example.com/d{% endif %}">c</a>{% endif %}
<img src="https://example.com/logo.png" alt="Logo"><a href="{{ unsubscribe_url }}">Unsubscribe</a></body></html>`

/** Every address in an email, those of unsubscribing and preferences aside. */
const urlsIn = (text: string) =>
  (text.match(/https?:\/\/[^\s"'<>)\]]+/g) ?? []).filter((url) => !/^https:\/\/post\.example\/[up]\//.test(url))

const recipients = fc.record({
  id: fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }).map(String),
  email: fc.nat().map((n) => `person${n}@example.com`),
  name: fc.constantFrom('Ada', 'Bob', 'Zoë "Z"'),
  attributes: fc.dictionary(fc.constantFrom('company', 'city'), fc.string({ maxLength: 20 })),
})

test('totals: no URL of an email differs between two recipients, except those of unsubscribing', async () => {
  const plans = await Promise.all(
    [null, 'Hello {{ name }}: https://example.com/a?x=1, {{ view_url }}'].map((text) =>
      compile(draft({ html: HTML, text, totalsFor: '12' })),
    ),
  )
  const read = async (prepared: ReturnType<typeof prepare>, person: Recipient) => {
    const mail = await PostalMime.parse(splice(prepared, person).data)
    return { html: mail.html ?? '', text: mail.text ?? '' }
  }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...plans), recipients, recipients, async (plan, one, other) => {
      const prepared = prepare(plan, tokens)
      const [a, b] = [await read(prepared, one), await read(prepared, other)]
      expect(urlsIn(a.html)).toEqual(urlsIn(b.html))
      expect(urlsIn(a.text)).toEqual(urlsIn(b.text))
    }),
    { numRuns: 60 },
  )
  const { html } = await read(prepare(plans[0] as never, tokens), { id: '7', email: 'a@example.com', name: 'Ada' })
  const signed = [...html.matchAll(/post\.example\/[toc/]*[tv]\/(?:[oc]\/)?([\w-]+)/g)].map(([, token]) =>
    tokens.verify(token as string),
  )
  expect(signed).toEqual([
    { purpose: 'campaign_click', recipientId: '12', link: 0 },
    { purpose: 'campaign_view', recipientId: '12', link: 0 },
    { purpose: 'campaign_click', recipientId: '12', link: 1 },
    { purpose: 'campaign_open', recipientId: '12', link: 0 },
  ])
})

test('totals: a link with a merge field is sent as it is and not counted, and the author is told', async () => {
  const html = '<a href="https://example.com/a?n={{ name }}">a</a>'
  const plan = await compile(draft({ html, totalsFor: '12' }))
  expect(plan.links).toEqual([])
  expect(plan.warnings).toContainEqual(expect.objectContaining({ code: 'link', severity: 'warning', line: 1 }))
  expect((await compile(draft({ html }))).links).toHaveLength(1)
})

test('totals: the author is told of an image whose address has a merge field', async () => {
  const html = '<p>x</p>\n<img src="https://example.com/{{ attributes.photo }}.png" alt="You">'
  const ofImages = async (change: object) =>
    (await compile(draft({ html, ...change }))).warnings.filter(({ code }) => code === 'image')
  expect(await ofImages({ totalsFor: '12' })).toMatchObject([{ severity: 'warning', line: 2 }])
  expect(await ofImages({})).toEqual([])
})

test('totals: the email in a browser has no recipient’s data and no link of theirs', async () => {
  const { html } = renderSharedView({ plan: await compile(draft({ html: HTML, totalsFor: '12' })), tokens })
  expect(html).toMatch(/<body[^>]*><p id="postlark-copy"/)
  expect(html).not.toMatch(/post\.example\/[upt]\//)
  expect(html).toContain('https://example.com/a?x=1')
})
