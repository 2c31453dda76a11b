import { expect, test } from 'vitest'
import { CompileError, checkDraft, compile, renderPreview } from '../index.ts'
import { draft } from './draft.fixture.ts'

const bob = { id: '1', email: 'bob@example.com', name: 'Bob <b>', attributes: { company: 'A&B' } }
const errors = async (change: Parameters<typeof draft>[0]) =>
  (await checkDraft(draft(change))).problems.filter((problem) => problem.severity === 'error')

test('compile: a plan is plain JSON, and the same draft compiles to the same plan', async () => {
  const plan = await compile(draft())
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
  expect(await compile(draft())).toEqual(plan)
})

test('compile: CSS is inlined, and media queries and Liquid tags are preserved', async () => {
  const { html } = await compile(
    draft({
      html: '<html><head><style>p{color:red}@media (max-width:9px){p{color:blue}}</style></head><body><p {% if name %}class="x"{% endif %}>{{ name }}</p></body></html>',
    }),
  )
  expect(html).toMatch(/<p [^>]*style="color: red;?"/)
  expect(html).toContain('@media')
  expect(html).toMatch(/\{% if name %\}\s*class="x"\s*\{% endif %\}/)
})

test('compile: MJML is compiled to HTML, and its problems have their lines', async () => {
  const mjml = (inner: string) =>
    `<mjml>\n<mj-body>\n<mj-section><mj-column>\n${inner}\n</mj-column></mj-section>\n</mj-body>\n</mjml>`
  const plan = await compile(
    draft({
      mjml: mjml('<mj-text>Hi {{ name }}</mj-text><mj-button href="https://example.com/x?a=1&amp;b=2">Go</mj-button>'),
    }),
  )
  expect(plan.html).toContain('Hi {{ name }}')
  expect(plan.links).toEqual([{ index: 0, url: 'https://example.com/x?a=1&b=2' }])
  expect(await errors({ mjml: mjml('<mj-tetx>Hi</mj-tetx>') })).toMatchObject([{ part: 'mjml', line: 4 }, {}])
  expect(await errors({ mjml: mjml('<mj-include path="/etc/passwd" />') })).toMatchObject([
    { line: 4, message: expect.stringContaining('mj-include') },
  ])
  expect(
    await errors({ mjml: `<mjml><mj-body>\n{% if name %}<mj-section></mj-section>{% endif %}</mj-body></mjml>` }),
  ).toMatchObject([{ line: 2, message: expect.stringContaining('mj-raw') }, {}, {}])
})

test('compile: only web links are tracked; unsubscribe, mailto, tel and marked links are not', async () => {
  const { links, html } = await compile(
    draft({
      html: `<a href="https://a.example/">1</a><a href='http://b.example'>2</a><a href=https://a.example/>1 again</a>
<a href="mailto:x@y.z">m</a><a href="tel:+1">t</a><a href="#top">a</a><a href="{{ unsubscribe_url }}">u</a><a href="{{ view_url }}">v</a>
<a href="https://c.example" data-no-track>n</a><a href="https://u:p@d.example/">p</a><a href="javascript:x()">j</a><img src="https://e.example/i.png" alt="">`,
    }),
  )
  expect(links).toEqual([
    { index: 0, url: 'https://a.example/' },
    { index: 1, url: 'http://b.example' },
  ])
  for (const left of [
    'mailto:x@y.z',
    'tel:+1',
    '#top',
    '{{ unsubscribe_url }}',
    '{{ view_url }}',
    'https://c.example',
    'https://u:p@d.example/',
  ]) {
    expect(html).toContain(`href="${left}"`)
  }
})

test('compile: a variable in the path of a link is tracked, and one in its host gives a warning', async () => {
  const { plan, problems } = await checkDraft(
    draft({
      html: '<a href="https://a.example/{{ attributes.company }}">1</a>\n<a href="{{ attributes.site }}">2</a>\n<a href="https://{{ name }}.example/">3</a>',
    }),
  )
  expect(plan?.links).toEqual([{ index: 0, url: 'https://a.example/{{ attributes.company | postlark_url }}' }])
  expect(problems.map(({ line, severity }) => [line, severity])).toEqual([
    [2, 'warning'],
    [3, 'warning'],
  ])
})

test('compile: a footer with postal address and unsubscribe link is added if the template has none', async () => {
  const plain = await compile(draft({ footer: { company: 'A{{ x }}<b>', postalAddress: '1 Road\r\nTown' } }))
  expect(plain.html).toContain('1 Road<br>Town')
  expect(plain.html).toMatch(/href="\{\{ unsubscribe_url \}\}"[^>]*>Unsubscribe/)
  const shown = await renderPreview(draft({ footer: { company: 'A{{ x }}<b>', postalAddress: '1 Road\r\nTown' } }), bob)
  expect(shown.text).toContain('A{{ x }}<b>\n1 Road\nTown\nUnsubscribe: https://post.example/u/')
  expect(shown.html).toContain('A&#123;&#123; x }}&lt;b&gt;')
  const own = await compile(draft({ html: '<p>x <a href="{{ unsubscribe_url }}">leave</a></p>' }))
  expect(own.html).not.toContain('1 Road')
  expect(own.text).not.toContain('1 Road')
  const hidden = await compile(draft({ html: '<p>x</p><!-- {{ unsubscribe_url }} -->' }))
  expect(hidden.html).toContain('1 Road')
})

test("compile: the text part is made from the HTML, and an author's own text is preserved", async () => {
  const made = await renderPreview(
    draft({
      html: '<h1>Title {{ name }}</h1><p>A &amp; B</p><a href="https://a.example/">go</a><img src="x" alt="an image">',
    }),
    bob,
  )
  expect(made.text).toContain('Title Bob <b>')
  expect(made.text).toContain('A & B')
  expect(made.text).toContain('https://a.example/')
  expect(made.text).toContain('an image')
  const own = await compile(draft({ text: 'Mine, {{ name }}: https://a.example/x. Bye' }))
  expect(own.text).toMatch(/^Mine, \{\{ name \}\}: \{\{ postlark_link_\d \}\}\. Bye\n/)
  expect(await errors({ html: '<img src="https://a.example/x.png">' })).toMatchObject([
    { message: expect.stringContaining('text part') },
  ])
})

test('compile: values are escaped in HTML, encoded in URLs and unchanged in text and subject', async () => {
  const shown = await renderPreview(
    draft({
      html: '<p title="{{ name }}">{{ name }}</p><a href="https://a.example/?n={{ name }}">x</a><a href="{{ attributes.bad }}">y</a>',
      text: '{{ name }}',
    }),
    {
      ...bob,
      attributes: { bad: 'javascript:alert(1)' },
    },
  )
  expect(shown.subject).toBe('News for Bob <b>')
  expect(shown.html).toContain('<p title="Bob &lt;b&gt;">Bob &lt;b&gt;</p>')
  expect(shown.html).toContain('href="https://a.example/?n=Bob%20%3Cb%3E"')
  expect(shown.html).not.toContain('javascript:')
  expect(shown.text).toMatch(/^Bob <b>/)
})

test('compile: every problem is reported with its part and line', async () => {
  expect(await errors({ html: 'a\nb {{ nmae }}' })).toMatchObject([
    { part: 'html', line: 2, message: expect.stringContaining('nmae') },
  ])
  expect(await errors({ html: 'a\n{% include "x" %}' })).toMatchObject([
    { part: 'html', line: 2, message: expect.stringContaining('include') },
  ])
  expect(await errors({ html: 'a\n{% for i in (1..99999999) %}x{% endfor %}' })).toMatchObject([
    { part: 'html', line: 2 },
  ])
  expect(
    await errors({ html: 'a\n\n{% for i in (1..9999) %}{% for j in (1..9999) %}\nx{% endfor %}{% endfor %}' }),
  ).toMatchObject([{ line: 3, message: expect.stringContaining('steps') }])
  expect(await errors({ html: 'a\n{% if name %}' })).toMatchObject([{ part: 'html', line: 2 }])
  expect(await errors({ subject: ' ' })).toMatchObject([{ part: 'subject' }])
  expect(await errors({ html: ' ', text: null })).toMatchObject([{ message: 'The message is empty' }])
  expect(await errors({ html: 'x'.repeat(5_000_000) })).toMatchObject([
    { message: expect.stringContaining('5.0 million') },
  ])
  expect(await errors({ from: { address: 'a@b.c\r\nBcc: x@y.z' } })).toMatchObject([{ part: 'sender' }])
  await expect(compile(draft({ subject: '{{ nope }}', html: '{{ neither }}' }))).rejects.toSatisfy(
    (error) => error instanceof CompileError && error.problems.length === 2,
  )
})

test('compile: characters a jsonb column refuses are removed, and removing them forms no Liquid', async () => {
  const odd = 'a\0b\ud800'
  const plan = await compile(
    draft({
      subject: odd,
      html: `<p>${odd}</p>`,
      text: odd,
      from: { name: odd, address: 'ann@sender.example' },
      listName: odd,
    }),
  )
  const stored = JSON.stringify(plan)
  expect(stored).not.toMatch(/\\u0000|\\ud800/)
  expect(await errors({ html: '{\0{ nope }}' })).toMatchObject([{ message: expect.stringContaining('nope') }])
})

test('compile: broken HTML is compiled to a message', async () => {
  const { html, text } = await compile(
    draft({ html: '<p>a<div></p><a href="https://a.example/>x</a><table>{{ name }}<tr><td>b</table></body></body>' }),
  )
  expect(html).toContain('{{ name }}')
  expect(text).toContain('Unsubscribe')
})

test('compile: a preview is rendered even if the draft has problems', async () => {
  const shown = await renderPreview(draft({ html: '<p>{{ name }} {{ nope }}!</p>' }), bob)
  expect(shown.html).toContain('<p>Bob &lt;b&gt; !</p>')
  expect(shown.html).not.toContain('/t/o/')
  expect(shown.problems).toMatchObject([{ message: expect.stringContaining('nope') }])
  expect((await renderPreview(draft({ html: '{% if' }), bob)).problems).toMatchObject([{ line: 1 }])
})

test('compile: a message with text only gets an HTML part with the same words', async () => {
  const shown = await renderPreview(draft({ html: '', text: 'Hi {{ name }}, 1 < 2\nhttps://a.example/?a=1&b=2' }), bob)
  expect(shown.html).toContain('Hi Bob &lt;b&gt;, 1 &lt; 2\n<a href="https://a.example/?a=1&amp;b=2">')
  expect(shown.text).toContain('Hi Bob <b>, 1 < 2\nhttps://a.example/?a=1&b=2')
})
