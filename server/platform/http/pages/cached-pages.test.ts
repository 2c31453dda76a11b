import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { withoutNonce } from './cached-pages.ts'

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('cached pages: inline scripts with the nonce are allowed by hash, and no other script is', () => {
  const html =
    '<script nonce="n1">a()</script><script type="module" nonce="n1" async="">b()</script><script nonce="n1" src="/x.js"></script>' +
    '<link rel="modulepreload" nonce="n1" href="/y.js"><script>c()</script><script nonce="n2">d()</script>'
  expect(withoutNonce(html, 'n1')).toEqual({
    html: '<script>a()</script><script type="module" async="">b()</script><script src="/x.js"></script><link rel="modulepreload" href="/y.js"><script>c()</script><script nonce="n2">d()</script>',
    sources: [hashSource('a()'), hashSource('b()')],
  })
})
