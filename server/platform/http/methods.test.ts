import { expect, test } from 'vitest'
import { sharedApp } from '#server/testing/app.ts'

test('http: a wrong method on a known path gets 405 with Allow, and an unknown path gets 404', async () => {
  await using t = await sharedApp()
  const patch = await t.inject({
    method: 'PATCH',
    url: '/api/lists',
    payload: 'text',
    headers: { 'content-type': 'text/plain' },
  })
  expect([patch.statusCode, patch.headers.allow, patch.json().code]).toEqual([405, 'GET, POST', 'method_not_allowed'])
  expect((await t.inject({ method: 'GET', url: '/api/contacts/import' })).headers.allow).toBe('POST')
  const one = await t.inject({ method: 'POST', url: '/api/contacts/1' })
  expect([one.statusCode, one.headers.allow]).toEqual([405, 'DELETE, GET, PATCH, PUT'])
  expect((await t.inject({ method: 'GET', url: '/api/nothing' })).statusCode).toBe(404)
})

test('http: a missing body gets 400 where a body is required, and is accepted where it is optional', async () => {
  await using t = await sharedApp()
  const person = await t.person()
  const headers = { authorization: `Bearer ${person.token}` }
  const patch = await t.inject({ method: 'PATCH', url: '/api/account', headers })
  expect([patch.statusCode, patch.json().details]).toEqual([
    400,
    [{ field: 'body', message: 'is required: send JSON' }],
  ])
  const empty = await t.inject({ method: 'PATCH', url: '/api/account', headers, payload: {} })
  expect(empty.statusCode).toBe(200)
  const list = await t.inject({ method: 'POST', url: '/api/lists', headers })
  expect(list.json().details).toEqual([{ field: 'name', message: 'is required' }])
})
