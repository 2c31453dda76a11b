import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { sharedApp } from '#server/testing/app.ts'

test.each([
  ['an address of over 16 KB', `GET /api/lists?q=${'x'.repeat(17_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431, 'too_large'],
  ['what is not HTTP', 'HELO mail.example\r\n\r\n', 400, 'invalid'],
  ['a length that is no number', 'POST /api/lists HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n', 400, 'invalid'],
])('http: %s is refused with JSON like any other refusal', async (_what, request, status, code) => {
  const { address } = await sharedApp()
  const socket = connect({ port: Number(new URL(address).port), host: new URL(address).hostname })
  socket.write(request)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\ncontent-type: application/json`))
  expect(JSON.parse(body)).toEqual({ error: expect.any(String), message: JSON.parse(body).error, code })
})

test.each([
  ['the API', '/api/lists/%ff', 400, 'application/json; charset=utf-8', '"code":"invalid"'],
  ['a link in an email', '/u/%c3%28', 404, 'text/html; charset=utf-8', 'This link does not work'],
  ['a shared report', '/r/%00%ff', 404, 'text/html; charset=utf-8', 'Page Not Found'],
  ['a post', '/blog/%E0%A4%A', 404, 'text/html; charset=utf-8', 'Page Not Found'],
])('http: a path of %s that is not valid is refused in our own words', async (_what, url, status, type, words) => {
  const response = await (await sharedApp()).inject({ method: 'GET', url })
  expect([response.statusCode, response.headers['content-type']]).toEqual([status, type])
  expect(response.body).toContain(words)
  expect(response.body).not.toContain('FST_')
})
