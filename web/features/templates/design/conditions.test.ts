import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderPreview } from '#server/engine/index.ts'
import { COMPARISONS, type Condition, readCondition, toLiquid, valueProblem } from './conditions.ts'
import { duplicateBlock, markBlocks, moveBlock, removeBlock, setCondition } from './mjml-edits.ts'
import { scanMjml } from './mjml-source.ts'
import { standalone } from './standalone.ts'

const SOURCE = `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Georgia" />
      <mj-text color="#123456" />
      <mj-class name="big" font-size="30px" />
    </mj-attributes>
  </mj-head>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text mj-class="big">One</mj-text>
        <mj-text>Two</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
const findBody = (source: string) => scanMjml(source).find(({ tag }) => tag === 'mj-body')
const texts = (source: string) => {
  const body = findBody(source)
  return scanMjml(source).filter(({ tag, from }) => tag === 'mj-text' && from > (body?.from ?? 0))
}
const first = (source: string) => {
  const [found] = texts(source)
  if (!found) throw new Error('no text')
  return found
}

const field = fc.constantFrom('name', 'email', 'phone', 'attributes.city', 'attributes["my field"]', 'attributes.größe')
const value = fc.oneof(
  fc.constantFrom('30', '-1.5', 'true', '', 'blank', 'a " b', "it's", 'x or y', 'ü'),
  fc.string({ unit: 'grapheme' }).filter((text) => valueProblem(text) === undefined),
)
const condition: fc.Arbitrary<Condition> = fc
  .record({ field, comparison: fc.constantFrom(...COMPARISONS.map((one) => one.value)), value })
  .map((one) => (one.comparison === 'exists' || one.comparison === 'isEmpty' ? { ...one, value: '' } : one))

test('conditions: a condition is read back from the email, and its removal restores the source', () => {
  fc.assert(
    fc.property(condition, (built) => {
      expect(readCondition(toLiquid(built))).toEqual(built)
      const made = setCondition(SOURCE, first(SOURCE), toLiquid(built))
      expect(readCondition(first(made).condition ?? '')).toEqual(built)
      expect(setCondition(made, first(made), '')).toBe(SOURCE)
    }),
  )
})

test('conditions: an element is moved, duplicated and removed together with its condition', () => {
  const made = setCondition(SOURCE, first(SOURCE), 'name != blank')
  expect(made).toContain(
    '        <mj-raw>{% if name != blank %}</mj-raw>\n        <mj-text mj-class="big">One</mj-text>\n        <mj-raw>{% endif %}</mj-raw>\n',
  )
  const blocks = scanMjml(made)
  const one = first(made)
  const column = blocks[one.parent ?? -1]
  if (!column) throw new Error('no column')
  expect(column.children).toHaveLength(2)
  const moved = moveBlock(made, blocks, one, column, 2)
  expect(texts(moved).map((block) => block.condition)).toEqual([null, 'name != blank'])
  expect(texts(duplicateBlock(made, one)).map((block) => block.condition)).toEqual([
    'name != blank',
    'name != blank',
    null,
  ])
  expect(removeBlock(made, one)).not.toContain('mj-raw')
  const changed = setCondition(made, one, 'email != blank')
  expect(first(changed).condition).toBe('email != blank')
  expect(markBlocks(made, blocks)).not.toContain('{%')
})

test('conditions: a handwritten condition with more than one rule is not read as a built one', () => {
  for (const own of ['name == "a" and email == "b"', 'name.size > 3', 'name', 'attributes.a == attributes.b'])
    expect(readCondition(own)).toBeUndefined()
})

const person = (attributes: Record<string, string | number | boolean>, name: string | null = null) => ({
  ...{ id: '1', email: 'a@b.test', phone: null },
  name,
  attributes,
})
test.each<[Condition, ReturnType<typeof person>, boolean]>([
  [{ field: 'attributes.city', comparison: 'is', value: 'Lisbon' }, person({ city: 'Lisbon' }), true],
  [{ field: 'attributes.city', comparison: 'is', value: 'Lisbon' }, person({ city: 'Porto' }), false],
  [{ field: 'attributes.city', comparison: 'is', value: 'Lisbon' }, person({}), false],
  [{ field: 'attributes.age', comparison: 'is', value: '30' }, person({ age: 30 }), true],
  [{ field: 'attributes.age', comparison: 'is', value: '30' }, person({ age: '30' }), true],
  [{ field: 'attributes.age', comparison: 'isNot', value: '30' }, person({ age: 30 }), false],
  [{ field: 'attributes.vip', comparison: 'is', value: 'true' }, person({ vip: true }), true],
  [{ field: 'attributes.city', comparison: 'isNot', value: 'Lisbon' }, person({}), true],
  [{ field: 'attributes["my field"]', comparison: 'contains', value: "it's" }, person({ 'my field': "so it's" }), true],
  [{ field: 'name', comparison: 'exists', value: '' }, person({}, 'Ann'), true],
  [{ field: 'name', comparison: 'exists', value: '' }, person({}), false],
  [{ field: 'attributes.city', comparison: 'isEmpty', value: '' }, person({ city: '  ' }), true],
])('conditions: %j for %j shows the element: %s', async (built, recipient, shown) => {
  const mjml = setCondition(SOURCE, first(SOURCE), toLiquid(built))
  const { html, text, problems } = await renderPreview(
    {
      ...{ subject: 'x', html: null, mjml, text: null, from: { name: null, address: 'a@b.test' } },
      ...{ trackOpens: false, trackClicks: false, publicUrl: 'https://p.test', footer: {} },
      ...{ listId: 'x', feedbackId: 'x' },
    },
    recipient,
  )
  expect(problems).toEqual([])
  expect([html.includes('>One<'), /\bOne\b/.test(text), html.includes('>Two<')]).toEqual([shown, shown, true])
})

test('conditions: a saved block contains its condition and the styles of its email', () => {
  const made = setCondition(SOURCE, first(SOURCE), 'name != blank')
  const block = first(made)
  const kept = standalone(made, scanMjml(made), block.outer ?? block)
  expect(kept.split('\n')).toEqual([
    '<mj-raw>{% if name != blank %}</mj-raw>',
    expect.stringMatching(/^<mj-text .*>One<\/mj-text>$/),
    '<mj-raw>{% endif %}</mj-raw>',
    '',
  ])
  for (const look of ['font-family="Georgia"', 'color="#123456"', 'font-size="30px"']) expect(kept).toContain(look)
  expect(kept).not.toContain('mj-class')
})
