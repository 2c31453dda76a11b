import fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesIn } from './block-kinds.ts'
import {
  duplicateBlock,
  editedHtml,
  insertBlock,
  markBlocks,
  moveBlock,
  readPreheader,
  removeBlock,
  setAttribute,
  setContent,
  setPreheader,
} from './mjml-edits.ts'
import { findAttribute, MjmlProblem, scanMjml } from './mjml-source.ts'

const SOURCE = `<mjml>
  <!-- <mj-section> in a comment -->
  <mj-body>
    <mj-section css-class="card" padding='0'>
      <mj-column>
        <mj-text align="left">One {% if a > b %}<b>x</b>{% endif %}</mj-text>
        <mj-divider />
      </mj-column>
      <mj-column>
        <mj-table><tr><td>A cell</td></tr></mj-table>
      </mj-column>
    </mj-section>
    <mj-section>
      <mj-column><mj-text>Two</mj-text></mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
const block = (source: string, tag: string, nth = 0) => {
  const found = scanMjml(source).filter((one) => one.tag === tag)[nth]
  if (!found) throw new Error(`no ${tag} ${nth}`)
  return found
}

test('mjml source: elements are found with their parents, and comments, tables and Liquid are skipped', () => {
  const blocks = scanMjml(SOURCE)
  expect(blocks.map(({ tag, parent }) => `${blocks[parent ?? -1]?.tag ?? ''} ${tag}`)).toEqual([
    ' mjml',
    'mjml mj-body',
    'mj-body mj-section',
    'mj-section mj-column',
    'mj-column mj-text',
    'mj-column mj-divider',
    'mj-section mj-column',
    'mj-column mj-table',
    'mj-body mj-section',
    'mj-section mj-column',
    'mj-column mj-text',
  ])
  const text = block(SOURCE, 'mj-text')
  expect(SOURCE.slice(text.contentFrom, text.contentTo)).toBe('One {% if a > b %}<b>x</b>{% endif %}')
})

test('mjml source: a change of an attribute, text or element leaves the rest unchanged', () => {
  expect(setAttribute(SOURCE, block(SOURCE, 'mj-text'), 'align', 'center')).toBe(
    SOURCE.replace('align="left"', 'align="center"'),
  )
  expect(setAttribute(SOURCE, block(SOURCE, 'mj-text'), 'align', '')).toBe(SOURCE.replace(' align="left"', ''))
  expect(setAttribute(SOURCE, block(SOURCE, 'mj-divider'), 'padding', '1px')).toBe(
    SOURCE.replace('<mj-divider />', '<mj-divider padding="1px" />'),
  )
  expect(setContent(SOURCE, block(SOURCE, 'mj-text', 1), 'Three')).toBe(SOURCE.replace('>Two<', '>Three<'))
  expect(removeBlock(SOURCE, block(SOURCE, 'mj-divider'))).toBe(SOURCE.replace('        <mj-divider />\n', ''))
})

test('mjml source: an element is moved with its lines, and never into itself', () => {
  const lines = (source: string) =>
    source
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .toSorted()
  const blocks = scanMjml(SOURCE)
  const moved = moveBlock(SOURCE, blocks, block(SOURCE, 'mj-section', 1), block(SOURCE, 'mj-body'), 0)
  expect(moved.indexOf('Two')).toBeLessThan(moved.indexOf('One'))
  expect(lines(moved)).toEqual(lines(SOURCE))
  const down = moveBlock(SOURCE, blocks, block(SOURCE, 'mj-text'), block(SOURCE, 'mj-column', 1), 1)
  expect(lines(down)).toEqual(lines(SOURCE))
  expect(down.indexOf('A cell')).toBeLessThan(down.indexOf('One {%'))
  expect(moveBlock(SOURCE, blocks, block(SOURCE, 'mj-section'), block(SOURCE, 'mj-column'), 0)).toBe(SOURCE)
})

test('mjml source: every element of the palette is inserted, duplicated and removed again', () => {
  for (const piece of piecesIn(undefined)) {
    const holder = block(SOURCE, piece.level === 'row' ? 'mj-body' : 'mj-column')
    const added = insertBlock(SOURCE, scanMjml(SOURCE), holder, 1, piece.mjml)
    const before = scanMjml(SOURCE).length
    expect(scanMjml(added).length, piece.id).toBeGreaterThan(before)
    const made = scanMjml(added)[block(added, holder.tag).children[1] ?? -1]
    expect(made && removeBlock(added, made), piece.id).toBe(SOURCE)
    expect(made && scanMjml(duplicateBlock(added, made)).length - scanMjml(added).length).toBe(
      scanMjml(added).length - before,
    )
  }
})

test('mjml source: the preheader is set, changed and read back', () => {
  const first = setPreheader(SOURCE, 'News & <more> for {{ name }}')
  expect(readPreheader(first)).toBe('News &amp; &lt;more> for {{ name }}')
  expect(setPreheader(first, 'Other')).toContain('<mj-preview>Other</mj-preview>')
  expect(scanMjml(first).some(({ tag }) => tag === 'mj-head')).toBe(true)
})

test.each([
  ['<mjml>\n<mj-body>\n<mj-section>\n</mj-body></mjml>', 4],
  ['<mjml><mj-body>\n<mj-text>never</mj-body></mjml>', 2],
  ['<p>no mjml</p>', 1],
  ['<mjml><mj-body>\n\n<mj-section color="x', 3],
])('mjml source: unclosed MJML is refused with its line: %s', (source, line) => {
  let problem: unknown
  try {
    scanMjml(source)
  } catch (error) {
    problem = error
  }
  expect(problem).toBeInstanceOf(MjmlProblem)
  expect((problem as MjmlProblem).line).toBe(line)
})

test('mjml source: Liquid stays intact in HTML that a browser wrote', () => {
  expect(editedHtml('A &amp; B {% if a &gt; b &amp;&amp; c %}<br>{{ name | default: "x" }}{% endif %}')).toBe(
    'A &amp; B {% if a > b && c %}<br />{{ name | default: "x" }}{% endif %}',
  )
})

test('mjml source: any value of an attribute is read back, and nothing else changes', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (value) => {
      const changed = setAttribute(SOURCE, block(SOURCE, 'mj-text'), 'alt', value)
      const text = block(changed, 'mj-text')
      const read = findAttribute(text, 'alt')?.replaceAll('&quot;', '"').replaceAll('&lt;', '<') ?? ''
      const expected = value.includes('{') ? value.replaceAll('"', "'") : value
      expect(read).toBe(expected.replaceAll('&quot;', '"').replaceAll('&lt;', '<'))
      expect(scanMjml(changed)).toHaveLength(scanMjml(SOURCE).length)
      expect(setAttribute(changed, text, 'alt', '')).toBe(SOURCE)
    }),
  )
})

test('mjml source: every element of the body gets a mark, and the others get none', () => {
  const marked = scanMjml(markBlocks(SOURCE, scanMjml(SOURCE)))
  for (const { tag, index, attributes } of marked) {
    const mark = attributes.find(({ name }) => name === 'css-class')?.value
    if (tag === 'mjml' || tag === 'mj-body') expect(mark).toBeUndefined()
    else expect(mark).toMatch(new RegExp(`postlark-block-${index}$`))
  }
})

test('mjml source: any input is read or refused with an MJML error', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<mj-text', '>', '</mj-text>', '<mjml>', '"', ' a=', '<!--', '-->', '/>', 'x')),
      (parts) => {
        try {
          scanMjml(parts.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(MjmlProblem)
        }
      },
    ),
  )
})
