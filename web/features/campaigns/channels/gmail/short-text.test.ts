import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHtml, toShortText } from './short-text.ts'

test('short text: lines become paragraphs in HTML with their Liquid, and are read back unchanged', () => {
  const text = 'Hello {{ name | default: "there" }},\n\nis 1 < 2 & 3 > 2?\nAda'
  expect(toHtml(text)).toBe('<p>Hello {{ name | default: "there" }},</p>\n<p>is 1 &lt; 2 &amp; 3 &gt; 2?<br>Ada</p>')
  expect(toShortText(toHtml(text))).toBe(text)
  expect(toShortText('<p>Hello <b>you</b></p>')).toBeUndefined()
  expect(toShortText('<!doctype html><html></html>')).toBeUndefined()
  const line = fc.string({ minLength: 1, maxLength: 20 }).filter((one) => one.trim() === one && !/[\n\r]/.test(one))
  fc.assert(
    fc.property(fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 4 }), (paragraphs) => {
      const written = paragraphs.map((lines) => lines.join('\n')).join('\n\n')
      expect(toShortText(toHtml(written))).toBe(written)
    }),
  )
})
