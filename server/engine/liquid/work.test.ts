import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draft } from '../compile/draft.fixture.ts'
import { compile, createTokens, prepare, renderLink, splice } from '../index.ts'
import { LiquidProblem, parseLiquid, renderLiquid } from './liquid.ts'
import { FILTER_NAMES } from './liquid-filters.ts'

const attributes: Record<string, string | number> = {
  long: 'a'.repeat(10_000),
  pattern: `${'a'.repeat(4_000)}b${'a'.repeat(4_000)}`,
  quotes: '"&'.repeat(5_000),
  spaces: ' '.repeat(10_000),
  tags: '<'.repeat(10_000),
  items: Array.from({ length: 3_000 }, (_, i) => `ab${i % 7}`).join(),
  n: 100_000,
  far: 9_007_199_254_740_992,
  ...Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i])),
}

/** Milliseconds of this thread, whatever else the machine does, to render; and what came of it. */
function render(source: string, kind: 'html' | 'text' = 'html'): { ms: number; problem: string } {
  const parsed = parseLiquid(source, kind)
  const before = process.threadCpuUsage()
  let problem = ''
  try {
    renderLiquid(parsed, { name: 'Ada', email: 'ada@example.com', phone: null, attributes: { ...attributes } })
  } catch (error) {
    expect(error).toBeInstanceOf(LiquidProblem)
    problem = (error as Error).message
  }
  const { user, system } = process.threadCpuUsage(before)
  return { ms: (user + system) / 1_000, problem }
}

const loop = (body: string) => `{% for i in (1..100000) %}${body}{% endfor %}`
const doubled = (times: number) =>
  `{% assign h = 'a' %}{% for i in (1..${times}) %}{% assign h = h | append: h %}{% endfor %}`
const many = (count: number, text: string) => Array.from({ length: count }, () => text)
/** What the longest loop that is allowed costs; nothing may cost far more. */
const unit = Math.max(30, render(loop('x'), 'text').ms)

const HOSTILE: Record<string, string> = {
  contains: `${doubled(16)}{% assign half = h | slice: 0, 16000 %}{% assign p = half | append: 'b' | append: half %}${loop('{% if h contains p %}x{% endif %}')}`,
  'contains with attributes': loop('{% if attributes.long contains attributes.pattern %}x{% endif %}'),
  replace: loop("{% assign x = attributes.long | replace: attributes.pattern, 'y' %}"),
  'a search from the end': loop('{% assign x = attributes.long | remove_last: attributes.pattern %}'),
  'doubled captures': `{% capture x %}aaaaaaaaaa{% endcapture %}{% for i in (1..40) %}{% capture x %}{{x}}{{x}}{% endcapture %}{% endfor %}{{ attributes[x] }}`,
  'a long cycle': loop(`{% cycle ${many(5_000, "'a'").join()} %}`),
  'a cycle of a long group': `${doubled(20)}${loop("{% cycle h: 'a','b' %}")}`,
  'captured raw text': `{% capture y %}${loop(`{% raw %}${'x'.repeat(50_000)}{% endraw %}`)}{% endcapture %}`,
  'many branches': loop(`{% if false %}${many(2_000, '{% elsif false %}').join('')}{% endif %}`),
  'many cases': `${doubled(18)}${loop(`{% case h %}${many(500, "{% when 'x', 'y', 'z' %}").join('')}{% endcase %}`)}`,
  'many operands': loop(`{{ ${'1 '.repeat(20_000)} }}`),
  'many options of a loop': loop(`{% for j in attributes.long ${many(2_000, 'x:1').join(' ')} %}{% endfor %}`),
  'reversed copies': `{% assign s = attributes.long | split: '' %}${loop('{% for i in s reversed limit:1 %}{% endfor %}')}`,
  'copies of a table': `{% assign s = attributes.long | split: '' %}${loop('{% tablerow i in s limit:1 %}{% endtablerow %}')}`,
  'a large range': `{% assign x = (1..4000000) %}${loop('{{ x | size }}')}`,
  dates: loop("{{ 'now' | date: '%A%B%c%Z', 'Europe/Berlin' }}"),
  'a padded date': "{{ 'now' | date: '%999999999N' }}",
  sorting: `{% assign s = attributes.items | split: ',' %}${loop('{% assign t = s | sort_natural %}')}`,
  'equal texts': `${doubled(19)}{% assign g = h | append: 'x' %}{% assign f = h | append: 'y' %}${loop('{% if f == g or f < g %}{% endif %}')}`,
  'equal arrays': `{% assign s = attributes.long | split: '' %}{% assign t = attributes.long | split: '' %}${loop('{% if s == t or s contains t %}{% endif %}')}`,
  joining: `{% assign s = attributes.long | split: '' %}${loop("{{ s | join: ',' | size }}")}`,
  escaping: loop('{% assign x = attributes.quotes | escape | escape | url_encode %}'),
  'JSON of JSON': `{% assign x = attributes.quotes %}${loop('{% assign x = x | json %}')}`,
  'names looked up through many loops': `${many(300, '{% for i in (1..1) %}').join('')}${loop(many(20, '{{ zzzz }}').join(''))}${many(300, '{% endfor %}').join('')}`,
  'spaces and tags': loop(
    '{{ attributes.spaces | squish | size }}{{ attributes.tags | strip_html | size }}{{ attributes.long | truncatewords: 9999 | size }}',
  ),
  'long outputs': loop('{{ attributes.long }}'),
  'sizes of objects': loop('{{ attributes.size }}'),
}

test.for(Object.entries(HOSTILE))('liquid: a template with %s ends within its budget', ([, source]) => {
  const { ms, problem } = render(source)
  expect(problem).toMatch(/more work than one message may take|makes more than 3 million/)
  expect(ms).toBeLessThan(unit * 100)
})

test('liquid: a range of numbers too large to count is refused', () => {
  for (const range of [
    '(9007199254740992..9007199254740994)',
    '(attributes.far..attributes.far)',
    "('-9e15'..'-9e16')",
  ])
    expect(render(`{% for i in ${range} %}x{% endfor %}`).problem).toMatch(/too much work|so far out|far out/)
  expect(render('{{ (1..3) | join }}').problem).toBe('')
})

test('liquid: filters that evaluate expressions or walk into elements do not exist', () => {
  for (const name of ['has_exp', 'find_exp', 'where_exp', 'group_by_exp', 'search', 'find', 'where', 'map', 'sample'])
    expect(() => parseLiquid(`\n{{ name | ${name}: 'x', 'y' }}`, 'text')).toThrow(`There is no filter “${name}”`)
})

test('liquid: random templates of every filter and tag end within the budget', () => {
  const value = fc.constantFrom(
    'h',
    's',
    'name',
    "'a'",
    '3',
    'nil',
    '(1..n)',
    'empty',
    ...Object.keys(attributes)
      .slice(0, 8)
      .map((key) => `attributes.${key}`),
  )
  const filter = fc
    .tuple(fc.constantFrom(...FILTER_NAMES), fc.array(value, { maxLength: 3 }))
    .map(([name, args]) => ` | ${name}${args.length > 0 ? `: ${args.join(', ')}` : ''}`)
  const filtered = fc.tuple(value, fc.array(filter, { maxLength: 3 })).map(([first, rest]) => first + rest.join(''))
  const operator = fc.constantFrom('==', '!=', '<', '>', 'contains', 'and')
  const condition = fc.tuple(value, operator, value).map((parts) => parts.join(' '))
  const { template } = fc.letrec<{ template: string }>((tie) => {
    const inner = fc.array(tie('template'), { maxLength: 4 }).map((parts) => parts.join(''))
    return {
      template: fc.oneof(
        { maxDepth: 3 },
        filtered.map((text) => `{{ ${text} }}`),
        filtered.map((text) => `{% assign h = ${text} %}`),
        fc.tuple(condition, inner).map(([test, body]) => `{% if ${test} %}${body}{% else %}x{% endif %}`),
        fc.tuple(value, inner).map(([list, body]) => `{% for i in ${list} %}${body}{% endfor %}`),
        inner.map((body) => `{% capture s %}${body}{{ s }}{% endcapture %}`),
        fc.tuple(value, value, inner).map(([a, b, body]) => `{% case ${a} %}{% when ${b} %}${body}{% endcase %}`),
        inner.map((body) => `{% tablerow i in s %}${body}{% endtablerow %}`),
      ),
    }
  })
  fc.assert(
    fc.property(template, (body) => {
      const source = `{% assign n = 2000 %}{% assign s = attributes.items | split: ',' %}${loop(body)}`
      expect(render(source).ms).toBeLessThan(unit * 100)
    }),
    { numRuns: 25 },
  )
})

const tokens = createTokens('a secret for tests')
const ada = { id: '7', email: 'ada@example.com', name: 'Ada' }

test('liquid: a long value is truncated, and fields rendered directly count toward the budget', async () => {
  const once = prepare(await compile(draft({ html: '<p>{{ attributes.a }}</p>' })), tokens)
  const { data } = splice(once, { ...ada, attributes: { a: `${'é'.repeat(10_000)}END` } })
  expect(data.toString()).not.toContain('END')
  const often = prepare(await compile(draft({ html: `<p>${'{{ attributes.a }}'.repeat(1_200)}</p>` })), tokens)
  expect(splice(often, { ...ada, attributes: { a: 'short' } }).data.length).toBeGreaterThan(6_000)
  expect(() => splice(often, { ...ada, attributes: { a: '"'.repeat(5_000) } })).toThrow('more work than one message')
})

test('liquid: a link that exceeds the budget is not rendered', () => {
  const url = `https://example.com/?q={% assign h = attributes.h %}${loop('{% if h contains attributes.p %}x{% endif %}')}`
  expect(renderLink(url, { ...ada, attributes: { h: 'a'.repeat(5_000), p: `${'a'.repeat(2_400)}b` } })).toBeNull()
  expect(renderLink('https://example.com/?q={{ name }}', ada)).toBe('https://example.com/?q=Ada')
})
