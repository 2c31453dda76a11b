import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import {
  compile,
  createTokens,
  prepare,
  type Recipient,
  renderLink,
  renderSubject,
  renderView,
  SpliceError,
  splice,
} from '../index.ts'
import { draft } from './draft.fixture.ts'

const tokens = createTokens('a secret for tests')
const recipient = (change: Partial<Recipient> = {}): Recipient => ({
  id: '7',
  email: 'bob@example.com',
  name: 'Bob',
  attributes: {},
  ...change,
})

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '.',
        '\r\n.\r\n',
        ' ',
        '\t',
        '=',
        '=20',
        '\0',
        ',',
        '"',
        "'",
        '<',
        '>',
        '&',
        'Bcc: x@y.z',
        '=?UTF-8?Q?a?=',
        'é',
        '😀',
        '\u2028',
        '\ud800',
        'a',
        '{{ name }}',
        '%',
        '--=_postlark_alternative_=',
        'x'.repeat(90),
      ),
    )
    .map((parts) => parts.join('')),
)

/** What survives in a body: well-formed, without control characters, line breaks alike. */
const inBody = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the engine's promise about exactly these
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+/g, '')
    .replace(/\r\n|\r|\n/g, '\n')
const inHeader = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\ufeff]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
const escaped = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' })[char] as string,
  )

const HEADERS = [
  'content-type',
  'date',
  'feedback-id',
  'from',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-postlark-id',
]

function assertWire(data: Buffer): void {
  const text = data.toString('utf8')
  expect(text.replace(/\r\n/g, '')).not.toMatch(/[\r\n\0]/)
  expect(text.endsWith('\r\n')).toBe(true)
  const [head = '', ...bodies] = text.split('\r\n\r\n')
  for (const line of head.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  for (const line of bodies.join('\r\n\r\n').split('\r\n')) {
    expect(line.length).toBeLessThanOrEqual(76)
    expect(line).not.toMatch(/^\.|[ \t]$/)
  }
  const names = head
    .split('\r\n')
    .filter((line) => !/^[ \t]/.test(line))
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
  expect(names.toSorted()).toEqual(HEADERS)
}

test('splice: any name, attribute and text is read back unchanged by an independent parser', async () => {
  const plan = await compile(
    draft({
      subject: 'For {{ name }}: {{ attributes.topic }}',
      html: '<p>A {{ name }} B {{ attributes.topic }}{{ name }}.{{ attributes.topic }} </p>\n{% if attributes.topic %}.{{ name | upcase }}{% endif %} =end',
      text: 'A {{ name }} B {{ attributes.topic }}{{ name }}.{{ attributes.topic }} \n{{ name | default: "nobody" }}\n.dot {{ unsubscribe_url }}',
    }),
  )
  const prepared = prepare(JSON.parse(JSON.stringify(plan)), tokens)
  await fc.assert(
    fc.asyncProperty(nasty, nasty, async (name, topic) => {
      const { data } = splice(prepared, recipient({ name, attributes: { topic } }))
      assertWire(data)
      const mail = await PostalMime.parse(data)
      const subject = inHeader(`For ${name}: ${topic}`)
      expect(mail.subject).toBe(subject.length <= 900 ? subject : expect.stringMatching(/^For /))
      expect(mail.to).toHaveLength(1)
      expect(mail.to?.[0]?.address).toBe('bob@example.com')
      const shown = mail.to?.[0]?.name ?? ''
      if (inHeader(name).length <= 200) expect(shown).toBe(inHeader(name))
      else expect(inHeader(name).startsWith(shown) && shown.length > 150).toBe(true)
      expect(mail.cc ?? mail.bcc).toBeUndefined()
      const n = inBody(name)
      const t = inBody(topic)
      expect(mail.text?.replace(/\r\n/g, '\n')).toContain(
        `A ${n} B ${t}${n}.${t} \n${name === '' ? 'nobody' : n}\n.dot https://post.example/u/`,
      )
      const html = mail.html?.replace(/\r\n/g, '\n') ?? ''
      expect(html).toContain(`<p>A ${escaped(n)} B ${escaped(t)}${escaped(n)}.${escaped(t)} </p>`)
      expect(html).toMatch(/=end/)
    }),
    { numRuns: 400 },
  )
})

test('splice: static text of any kind is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(nasty, async (text) => {
      const source = `${text.replace(/[{}]/g, '')}|{{ name }}|${text.replace(/[{}]/g, '')}{{ unsubscribe_url }}`
      const plan = await compile(draft({ html: '<p>x</p>', text: source, trackClicks: false }))
      const { data } = splice(prepare(plan, tokens), recipient())
      assertWire(data)
      const mail = await PostalMime.parse(data)
      const plain = inBody(text.replace(/[{}]/g, ''))
      expect(mail.text?.replace(/\r\n/g, '\n')).toContain(inBody(`${plain}|Bob|${plain}https://post.example/u/`))
    }),
    { numRuns: 150 },
  )
})

test('splice: no email address can add a recipient, a header or a command', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nasty,
        nasty.map((text) => `bob${text}@example.com`),
        nasty.map((text) => `bob@example${text}.com`),
      ),
      (email) => {
        const prepared = preparedOnce
        try {
          const message = splice(prepared, recipient({ email }))
          expect(message.to).toMatch(/^[^\s<>,;:"()[\]\\@]+@[a-z0-9.-]+$/)
          expect(message.data.toString().match(/^To:/gm)).toHaveLength(1)
        } catch (error) {
          expect(error).toBeInstanceOf(SpliceError)
        }
      },
    ),
    { numRuns: 500 },
  )
  for (const email of [
    'a@example.com\r\nBcc: evil@evil.test',
    'a@b.c,evil@evil.test',
    '<a@b.c>',
    '"a b"@b.c',
    'a@[127.0.0.1]',
    'a@b@c.d',
    'a@127.0.0.1',
    'a@-b.com',
    '',
    'a b@c.d',
    'a..b@c.d',
    'a@b.c>\r\nRCPT TO:<x@y.z',
  ]) {
    expect(() => splice(preparedOnce, recipient({ email })), email).toThrow(SpliceError)
  }
})

test('splice: an international domain becomes an A-label, and a non-ASCII local part needs SMTPUTF8', () => {
  const idn = splice(preparedOnce, recipient({ email: 'Bob@BÜCHER.example' }))
  expect(idn).toMatchObject({ to: 'Bob@xn--bcher-kva.example', needsSmtpUtf8: false })
  expect(idn.data.toString()).toContain('<Bob@xn--bcher-kva.example>')
  const eai = splice(preparedOnce, recipient({ email: '用户@例子.公司' }))
  expect(eai).toMatchObject({ to: '用户@xn--fsqu00a.xn--55qx5d', needsSmtpUtf8: true })
  expect(eai.data.toString('utf8')).toContain('<用户@xn--fsqu00a.xn--55qx5d>')
})

test('splice: a message has its headers, and its id is the same on every attempt', async () => {
  const first = splice(preparedOnce, recipient({ id: '9007199254740993' }), new Date('2026-11-21T06:00:00Z'))
  const again = splice(preparedOnce, recipient({ id: '9007199254740993' }), new Date('2026-11-21T07:00:00Z'))
  const other = splice(preparedOnce, recipient({ id: '9007199254740994' }))
  expect(again.messageId).toBe(first.messageId)
  expect(other.messageId).not.toBe(first.messageId)
  const mail = await PostalMime.parse(first.data)
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
  expect(mail.messageId).toMatch(/^<[\w-]+@sender\.example>$/)
  expect(mail.messageId).toBe(first.messageId)
  expect(tokens.verify(header('x-postlark-id'))).toEqual({
    purpose: 'message',
    recipientId: '9007199254740993',
    link: 0,
  })
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(header('list-id')).toBe('<list-1.sender.example>')
  expect(header('feedback-id')).toBe('c1:w1:email:postlark')
  expect(header('date')).toBe('Sat, 21 Nov 2026 06:00:00 +0000')
  const unsubscribe = /^<https:\/\/post\.example\/u\/([\w-]+)>$/.exec(header('list-unsubscribe'))
  expect(tokens.verify(unsubscribe?.[1] ?? '')).toMatchObject({
    purpose: 'unsubscribe',
    recipientId: '9007199254740993',
  })
  expect(mail.headers[0]?.key).toBe('to')
  expect(first.data.toString()).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/)
})

test('splice: links and pixel have the tokens of the recipient, and the web view has none', async () => {
  const plan = await compile(
    draft({
      html: '<a href="https://example.com/a?x=1&amp;n={{ name }}">a</a>{% if name %}<a href="https://example.com/b">b</a>{% endif %}',
    }),
  )
  const prepared = prepare(plan, tokens)
  const mail = await PostalMime.parse(splice(prepared, recipient()).data)
  const clicks = Array.from((mail.html ?? '').matchAll(/href="https:\/\/post\.example\/t\/c\/([\w-]+)"/g), (match) =>
    tokens.verify(match[1] as string),
  )
  expect(clicks).toEqual([
    { purpose: 'click', recipientId: '7', link: 0 },
    { purpose: 'click', recipientId: '7', link: 1 },
  ])
  const pixel = /<img src="https:\/\/post\.example\/t\/o\/([\w-]+)"[^>]*>\s*<\/body>/.exec(mail.html ?? '')
  expect(tokens.verify(pixel?.[1] ?? '')).toMatchObject({ purpose: 'open', recipientId: '7' })
  expect(mail.text).toMatch(/https:\/\/post\.example\/t\/c\//)
  const view = renderView(prepared, recipient({ name: 'A&B "x"' }))
  expect(view.html).toContain('href="https://example.com/a?x=1&amp;n=A%26B%20%22x%22"')
  expect(view.html).not.toMatch(/\/t\/[oc]\//)
})

test('splice: a click leads to the URL with encoded values and never to another site', () => {
  const url = 'https://example.com/{{ name | postlark_url }}?c={{ attributes.c | default: "none" | postlark_url }}'
  expect(renderLink(url, recipient({ name: '../?#&x@evil.test', attributes: { c: '' } }))).toBe(
    'https://example.com/..%2F%3F%23%26x%40evil.test?c=none',
  )
  expect(renderLink('javascript:alert(1)', recipient())).toBeNull()
  fc.assert(
    fc.property(nasty, (name) => {
      expect(URL.parse(renderLink(url, recipient({ name })) ?? '')?.host).toBe('example.com')
    }),
  )
})

test('splice: a field rendered directly gives the same text as Liquid', async () => {
  const values = fc.oneof(nasty, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
  const plan = await compile(
    draft({
      subject: 's',
      html: '<p>x</p>',
      trackClicks: false,
      text: '[{{ attributes.v }}|{{ attributes.v | default: "d" }}]{% assign w = attributes.v %}[{{ w }}|{{ w | default: "d" }}]{{ unsubscribe_url }}',
    }),
  )
  const prepared = prepare(plan, tokens)
  await fc.assert(
    fc.asyncProperty(values, async (v) => {
      const mail = await PostalMime.parse(splice(prepared, recipient({ attributes: { v } })).data)
      const text = mail.text?.slice(0, mail.text.indexOf('https://post.example')) ?? ''
      expect(text.slice(0, text.length / 2)).toBe(text.slice(text.length / 2))
    }),
  )
})

test('splice: a subject of plain fields is the one Liquid writes', async () => {
  const values = fc.oneof(nasty, fc.integer(), fc.boolean(), fc.constant(null))
  const written =
    'A {{ name }}{{- first_name | default: "you" -}} {{ attributes.v }}, {{ attributes.v | default: "d" }}!'
  const plain = await compile(draft({ subject: written }))
  // A tag that writes nothing leads the whole subject to Liquid.
  const liquid = await compile(draft({ subject: `${written}{% if false %}x{% endif %}` }))
  const [direct, byLiquid] = [prepare(plain, tokens), prepare(liquid, tokens)]
  fc.assert(
    fc.property(nasty, values, (name, v) => {
      const person = recipient({ name, attributes: { v } })
      expect(renderSubject(direct, person)).toBe(renderSubject(byLiquid, person))
    }),
  )
})

test("splice: a loop that runs too long with one recipient's data fails that message with its line", async () => {
  const plan = await compile(
    draft({
      html: '<p>a</p>\n{% for i in (1..attributes.n) %}\n{% for j in (1..attributes.n) %}x{% endfor %}{% endfor %}',
    }),
  )
  const prepared = prepare(plan, tokens)
  expect(splice(prepared, recipient({ attributes: { n: 2 } })).data.length).toBeGreaterThan(100)
  expect(() => splice(prepared, recipient({ attributes: { n: 5000 } }))).toThrow(/line \d+: .*steps/)
})

const preparedOnce = prepare(await compile(draft()), tokens)

test.each([
  [{ name: 'Ada Lovelace Byron' }, 'Ada', 'Lovelace Byron'],
  [{ name: 'Ada' }, 'Ada', ''],
  [{ name: null }, '', ''],
  [{ name: 'A. L.', attributes: { first_name: 'Ada', last_name: 'King' } }, 'Ada', 'King'],
  [{ name: 'Ada Lovelace', attributes: { first_name: '' } }, 'Ada', 'Lovelace'],
])('splice: first and last name of %j are %j and %j, with and without Liquid tags', async (change, first, last) => {
  const plan = await compile(
    draft({
      html: '<p>[{{ first_name }}|{{ last_name }}]{% if true %}[{{ first_name }}|{{ last_name }}]{% endif %}</p>',
      subject: '{{ first_name }}|{{ last_name }}',
    }),
  )
  const mail = await PostalMime.parse(splice(prepare(plan, tokens), recipient(change)).data)
  expect(mail.html).toContain(`<p>[${first}|${last}][${first}|${last}]</p>`)
  expect(mail.subject).toBe(`${first}|${last}`.trim())
})

test('splice: a preview text with words of the compiler, HTML and Liquid arrives as it was written', async () => {
  const preheader = 'lqd0z <img src=x onerror=y> {{ name }} & {% if name %}lqdq1z{% endif %}'
  const plan = await compile(draft({ preheader }))
  const { html } = renderView({ plan, tokens }, recipient())
  const shown = /<body>\s*<div style="display:none[^>]*>(.*?)&#847;/s.exec(html)?.[1]
  expect(shown?.replaceAll('&#108;', 'l')).toBe('lqd0z &lt;img src=x onerror=y&gt; Bob &amp; lqdq1z')
})
