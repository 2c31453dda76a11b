import fc from 'fast-check'
import { DomUtils, parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { cleanHtml, extractText, summarize } from './clean.ts'

test.each([
  ['<p>Hi<script>alert(1)</script></p>', '<p>Hi</p>'],
  ['<p onclick="alert(1)" style="x">Hi</p>', '<p>Hi</p>'],
  ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href="JaVa\nScript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>', '<a>x</a>'],
  ['<a href="mailto:a@example.com">x</a>', '<a href="mailto:a@example.com">x</a>'],
  ['<a href="tel:+4930123">x</a>', '<a href="tel:+4930123">x</a>'],
  ['<img src="javascript:alert(1)">', ''],
  ['<img src="data:image/svg+xml;base64,PHN2Zz4=">', ''],
  ['<img src="data:text/html,<script>alert(1)</script>">', ''],
  ['<iframe src="https://example.com"></iframe>after', 'after'],
  ['<svg><script>alert(1)</script></svg>x', 'x'],
  ['<math><mtext><img src=x onerror=alert(1)></mtext></math>', ''],
])('clean: %s becomes %s', (dirty, clean) => {
  expect(cleanHtml(dirty)).toBe(clean)
})

test('clean: headings, formats, indents and links of Quill are preserved', () => {
  const html =
    '<h1>A</h1><h6>B</h6><p><strong>b</strong><em>i</em><u>u</u><s>s</s></p><p class="ql-align-center">c</p><blockquote>q</blockquote><ul><li class="ql-indent-1">x</li></ul>'
  expect(cleanHtml(html)).toBe(html)
})

test('clean: the lists of Quill become ordered and unordered lists', () => {
  const item = (kind: string, text: string) =>
    `<li data-list="${kind}"><span class="ql-ui" contenteditable="false"></span>${text}</li>`
  expect(cleanHtml(`<ol>${item('bullet', 'a')}${item('bullet', 'b')}${item('ordered', 'c')}</ol><p>d</p>`)).toBe(
    '<ul><li>a</li><li>b</li></ul><ol><li>c</li></ol><p>d</p>',
  )
})

test('clean: indented items of Quill become nested lists, and interrupted numbers continue', () => {
  const item = (kind: string, indent: number, text: string) =>
    `<li data-list="${kind}"${indent ? ` class="ql-indent-${indent}"` : ''}>${text}</li>`
  const flat = [
    item('ordered', 0, 'a'),
    item('bullet', 1, 'b'),
    item('bullet', 2, 'c'),
    item('ordered', 0, 'd'),
    item('bullet', 0, 'e'),
    item('ordered', 0, 'f'),
  ]
  expect(cleanHtml(`<ol>${flat.join('')}</ol>`)).toBe(
    '<ol><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ol><ul><li>e</li></ul><ol start="3"><li>f</li></ol>',
  )
})

test('clean: a stored image gets its size, and any image an alternative text', () => {
  const own = `/media/${'a'.repeat(40)}-1600x900.webp`
  const [image] = DomUtils.getElementsByTagName('img', parseDocument(cleanHtml(`<img src="${own}">`)))
  expect(image?.attribs).toMatchObject({ src: own, width: '1600', height: '900', alt: '', loading: 'lazy' })
})

const fragments = fc.array(
  fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...['<p>', '</p>', '<ol>', '</ol>', '<li data-list="bullet">', '<script>', '</script>', '<img src=', '"', "'"],
      ...[
        ' onerror=alert(1)',
        '<a href="java',
        'script:alert(1)">',
        '<svg/onload=',
        '<!--',
        '-->',
        '<style>',
        '&#x6a;',
      ],
    ),
  ),
  { maxLength: 30 },
)

test('clean: any HTML loses everything active, and a second cleaning changes no text', () => {
  fc.assert(
    fc.property(fragments, (parts) => {
      const clean = cleanHtml(parts.join(''))
      expect(extractText(cleanHtml(clean))).toBe(extractText(clean))
      for (const element of DomUtils.filter((node) => 'attribs' in node, parseDocument(clean))) {
        const { name, attribs } = element as unknown as { name: string; attribs: Record<string, string> }
        expect(['script', 'style', 'iframe', 'svg', 'object', 'form']).not.toContain(name)
        expect(Object.keys(attribs).filter((key) => key.startsWith('on'))).toEqual([])
        expect(attribs.href ?? attribs.src ?? '').not.toMatch(/^\s*(javascript|vbscript):/i)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('clean: words of adjacent blocks are separated, and a summary ends at a word', () => {
  expect(extractText('<h1>One</h1><p>two<br>three</p><ul><li>four</li></ul>')).toBe('One. two three four')
  const summary = summarize('word '.repeat(100).trim())
  expect(summary.length).toBeLessThanOrEqual(181)
  expect(summary).toMatch(/word…$/)
})
