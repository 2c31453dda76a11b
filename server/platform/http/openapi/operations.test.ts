import { expect, test } from 'vitest'
import { contract } from '#contracts/index.ts'
import { sharedApp, testApp } from '#server/testing/app.ts'

test('openapi: the document and the reference page list every endpoint, and the page loads no other site', async () => {
  const t = await sharedApp()
  const api = (await t.inject({ url: '/api/openapi.json' })).json()
  expect(api.openapi).toBe('3.1.0')
  const page = await t.inject({ url: '/api/docs' })
  for (const [noun, endpoints] of Object.entries(contract)) {
    for (const [name, e] of Object.entries(endpoints)) {
      const path = e.path.replace(/:(\w+)/g, '{$1}')
      const operation = api.paths[path][e.method.toLowerCase()]
      expect(operation.operationId).toBe(`${noun}.${name}`)
      expect(operation.security).toEqual(e.access === 'public' ? [] : [{ bearer: [] }])
      expect(page.body).toContain(path)
    }
  }
  expect(api.paths['/api/lists'].post.requestBody.content['application/json'].schema).toMatchObject({
    additionalProperties: false,
    required: ['name'],
  })
  const form = api.paths['/api/contacts/import'].post.requestBody.content['multipart/form-data'].schema
  expect(Object.keys(form.properties)).toEqual(['file', 'listId', 'mapping', 'keep', 'consent'])
  expect([form.required, form.additionalProperties]).toEqual([['file'], false])
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).not.toMatch(/<script|src="http|href="http/)
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
})

test('metrics: local requests and admins get the counters, everybody else is refused', async () => {
  await using t = await testApp()
  const [user, admin] = [await t.person(), await t.person({ role: 'admin' })]
  const ask = (headers: Record<string, string>, remoteAddress: string) =>
    t.inject({ url: '/metrics', headers, remoteAddress })
  expect((await ask({}, '203.0.113.7')).statusCode).toBe(401)
  expect((await ask({ authorization: `Bearer ${user.token}` }, '203.0.113.7')).statusCode).toBe(403)
  expect((await ask({ authorization: `Bearer ${admin.token}` }, '203.0.113.7')).statusCode).toBe(200)
  expect((await ask({ 'x-forwarded-for': '203.0.113.7' }, '127.0.0.1')).statusCode).toBe(401)
  expect((await ask({ host: 'rebound.example:3000' }, '127.0.0.1')).statusCode).toBe(401)
  const text = (await fetch(`${t.address}/metrics`)).text()
  for (const line of [
    /^postlark_http_requests_total\{method="GET",status="401"\} 3$/m,
    /^postlark_database_up 1$/m,
    /^postlark_messages\{state="unconfirmed"\} 0$/m,
    /^process_resident_memory_bytes \d+$/m,
    /^nodejs_eventloop_lag_seconds\{quantile="0.99"\} /m,
  ]) {
    expect(await text).toMatch(line)
  }
})
