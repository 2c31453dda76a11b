import { expect, test } from 'vitest'
import { contract } from '#contracts/index.ts'
import { sharedApp } from '#server/testing/app.ts'

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
  expect(Object.keys(form.properties)).toEqual([
    'file',
    'listId',
    'mapping',
    'keep',
    'country',
    'dateFormats',
    'optin',
    'optinEvidence',
    'consent',
  ])
  expect([form.required, form.additionalProperties]).toEqual([['file'], false])
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).not.toMatch(/<script|src="http|href="http/)
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
})
