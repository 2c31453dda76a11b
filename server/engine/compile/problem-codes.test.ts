import { expect, test } from 'vitest'
import { checkDraft, checkForRecipients, compile } from '../index.ts'
import type { Draft, ProblemCode } from '../types.ts'
import { draft } from './draft.fixture.ts'

const PAGE = `<p>${'Words that a person wrote. '.repeat(5)}</p>`
const html = (inner: string): Partial<Draft> => ({ html: PAGE + inner })
const mjml = (inner: string): Partial<Draft> => ({
  mjml: `<mjml><mj-body><mj-section><mj-column>${inner}</mj-column></mj-section></mj-body></mjml>`,
})

/** Drafts with one mistake each, by what it is. */
const MISTAKES: [ProblemCode, string, Partial<Draft>][] = [
  ['sender', 'a sender without a domain', { ...html(''), from: { name: null, address: 'nobody' } }],
  ['empty_subject', 'a subject of spaces', { ...html(''), subject: ' ' }],
  ['empty', 'nothing at all', { html: '' }],
  ['empty_text', 'nothing that can be read', { html: '<p></p>' }],
  ['syntax', 'an output without its end', html('{{ name | }')],
  ['syntax', 'an unknown tag', html('{% nothing %}')],
  ['syntax', 'an unknown element of MJML', mjml('<mj-tetx>Hi</mj-tetx><mj-text>Hi</mj-text>')],
  ['syntax', 'an unknown attribute of MJML', mjml('<mj-text tint="red">Hi</mj-text>')],
  ['syntax', 'more characters than a template may have', html('x'.repeat(1_000_001))],
  ['unknown_field', 'a field nobody has', html('{{ first_nam }}')],
  ['unknown_filter', 'a filter that is none', html('{{ name | shout }}')],
  ['unknown_filter', 'one inside a block', html('{% if name %}{{ name | shout }}{% endif %}')],
  ['include', 'another file in Liquid', html('{% include "x" %}')],
  ['include', 'another file in MJML', mjml('<mj-include path="x" />')],
  [
    'too_much_work',
    'endless loops',
    html('{% for i in (1..999999) %}{% for j in (1..999999) %}x{% endfor %}{% endfor %}'),
  ],
  [
    'too_much_work',
    'a text built up again and again',
    html('{% assign a = "xxxxxxxxxx" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}'),
  ],
  [
    'too_much_work',
    'Liquid that is nested too deeply',
    html('{% if name %}'.repeat(6_000) + '{% endif %}'.repeat(6_000)),
  ],
  ['image_alt', 'an image without an alt text', html('<img src="https://a.test/x.png">')],
  ['image', 'an image without an address', html('<img src="" alt="x">')],
  ['link', 'a link without an address', html('<a href="">Offer</a>')],
  ['link', 'a link that cannot be counted', html('<a href="https://u:p@a.test/">Offer</a>')],
  ['link', 'a link whose site is a field', html('<a href="https://{{ attributes.site }}/">Offer</a>')],
  ['placeholder', 'a link to example.com', html('<a href="https://example.com/x">Offer</a>')],
  ['spam', 'a subject in capitals', { ...html(''), subject: 'READ THIS NOW' }],
  ['contrast', 'gray on white', html('<p style="color:#999999">Hi</p>')],
  ['too_long', 'more than Gmail shows', html('word '.repeat(25_000))],
  ['dropped_element', 'a form', html('<form></form>')],
  ['css', 'Liquid among the styles', html('<style>{% if name %}p{color:red}{% endif %}</style>')],
]

test.each(MISTAKES)('problem codes: %s is reported for %s', async (code, _what, change) => {
  const { problems } = await checkDraft(draft(change))
  expect([...new Set(problems.map((problem) => problem.code))]).toEqual([code])
})

test('problem codes: too_much_work is reported for a template that is too costly for one recipient', async () => {
  const plan = await compile(
    draft(html('{% for a in attributes.items %}{% for b in attributes.items %}{{ a }}{{ b }}{% endfor %}{% endfor %}')),
  )
  const items = Array.from({ length: 5_000 }, () => 'x') as unknown as string
  const found = checkForRecipients(plan, [{ id: '1', email: 'bob@example.com', attributes: { items } }])
  expect(found).toMatchObject([{ code: 'too_much_work', message: expect.stringMatching(/^For bob@example.com: /) }])
})
