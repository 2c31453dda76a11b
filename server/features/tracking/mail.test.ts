import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { CHROME } from './testing.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await testApp({ environment: { MAIL_FROM: 'Postlark <hello@sender.example>' } })
  person = await t.person()
})
afterAll(() => t[Symbol.asyncDispose]())

test('tracking: pixel, links, web view and unsubscribe of a sent email work and are counted', async () => {
  const listId = await listWith(t.services, person, 2)
  const sender = (await person.api(senders.list, { query: {} })).items[0]
  await person.api(senders.update, {
    params: { id: sender?.id ?? '' },
    body: { fromEmail: 'news@sender.example', fromName: 'News' },
  })
  const draft = await draftTo(person, listId)
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  await untilState(person, draft.id, ['sent'])
  const mail = await t.sink.mailTo('r1@example.com')
  const links = [...(mail.html ?? '').matchAll(/"http:\/\/localhost:3000(\/[tuv]\/[^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  const visit = (path: string | undefined, init: RequestInit = {}) =>
    fetch(`${t.address}${path}`, { redirect: 'manual', headers: { 'user-agent': CHROME }, ...init })
  const find = (prefix: string) => links.find((link) => link.startsWith(prefix))

  expect((await visit(find('/t/o/'))).headers.get('content-type')).toBe('image/gif')
  const click = await visit(find('/t/c/'))
  expect([click.status, click.headers.get('location')]).toEqual([302, 'https://example.com/offer?c=Firm+1'])
  const oneClick = mail.headers.find((header) => header.key === 'list-unsubscribe')?.value
  const unsubscribe = new URL(/<([^>]+)>/.exec(oneClick ?? '')?.[1] ?? '').pathname
  const response = await visit(unsubscribe, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(response.status).toBe(200)

  const stats = await person.api(campaigns.stats, { params: { id: draft.id } })
  expect(stats).toMatchObject({
    accepted: 2,
    delivered: null,
    // None was rejected at once, and nobody would tell of later ones.
    bounces: null,
    receivers: [{ receiver: 'example.com', accepted: 2, bounced: null, blocked: 0 }],
    unsubscribes: 1,
    rates: { open: 0.5, click: 0.5, clickToOpen: 1, bounce: null, unsubscribe: 0.5 },
  })
  expect(stats.opens).toEqual({ total: 1, unique: 1, human: 1, machine: 0 })
  expect(stats.clicks).toEqual({ total: 1, unique: 1, human: 1, machine: 0 })

  const again = await draftTo(person, listId)
  await person.api(campaigns.send, { params: { id: again.id }, body: {} })
  const { counts } = await untilState(person, again.id, ['sent'])
  expect(counts).toMatchObject({ recipients: 1, sent: 1 })
})
