import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, HTML, listWith, untilState } from '#server/testing/campaign.ts'
import { CHROME } from './testing.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await testApp({ environment: { MAIL_FROM: 'Postlark <hello@sender.example>' } })
  person = await t.person()
})
afterAll(() => t[Symbol.asyncDispose]())

const visit = (path: string | undefined, init: RequestInit = {}) =>
  fetch(`${t.address}${path}`, { redirect: 'manual', headers: { 'user-agent': CHROME }, ...init })
const linksIn = (html: string | undefined) =>
  [...(html ?? '').matchAll(/"http:\/\/localhost:3000(\/[tuv]\/[^"]+)"/g)].map((match) => match[1] ?? '')

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
  const links = linksIn(mail.html)
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

test('tracking: of totals alone, who opened and clicked is unknown everywhere', async () => {
  const listId = await listWith(t.services, person, 2, (n) => `totals${n}@example.com`)
  const html = HTML.replace('</body>', '<a href="{{ view_url }}">In a browser</a></body>')
  const draft = await draftTo(person, listId, { html, trackingMode: 'aggregate' })
  const params = { id: draft.id }
  expect(draft).toMatchObject({ trackOpens: true, trackClicks: true, trackingMode: 'aggregate', opened: null })
  // A channel without totals tracks nothing instead.
  const moved = await person.api(campaigns.update, { params, body: { channel: 'whatsapp' } })
  expect(moved).toMatchObject({ trackOpens: false, trackClicks: false, trackingMode: 'individual' })
  const body = { channel: 'email' as const, trackOpens: true, trackClicks: true, trackingMode: 'aggregate' as const }
  await person.api(campaigns.update, { params, body })
  await person.api(campaigns.update, { params, body: { trackOpens: false } })
  await person.api(campaigns.update, { params, body: { trackOpens: true } })
  await person.api(campaigns.send, { params, body: {} })
  await untilState(person, draft.id, ['sent'])
  const [one, other] = await Promise.all([1, 2].map((n) => t.sink.mailTo(`totals${n}@example.com`)))
  const links = linksIn(one?.html)
  expect(links.filter((link) => !link.startsWith('/u/'))).toEqual(
    linksIn(other?.html).filter((link) => !link.startsWith('/u/')),
  )
  const [pixel, click] = ['/t/o/', '/t/c/'].map((prefix) => links.find((link) => link.startsWith(prefix)))
  for (const agent of [CHROME, CHROME, 'Mozilla/5.0']) await visit(pixel, { headers: { 'user-agent': agent } })
  expect((await visit(click)).headers.get('location')).toBe('https://example.com/about')
  expect((await visit(click, { method: 'HEAD' })).status).toBe(302)
  const view = await (await visit(links.find((link) => link.startsWith('/v/')))).text()
  expect(view).toContain('Hello there')
  expect(view).toContain('This copy isn’t personalized.')
  expect(view).not.toMatch(/\/[upt]\/[\w-]{20}|Person|totals\d/)

  const stats = await person.api(campaigns.stats, { params })
  expect(stats.opens).toEqual({ total: 3, unique: null, human: 2, machine: 1 })
  expect(stats.clicks).toEqual({ total: 1, unique: null, human: 1, machine: 0 })
  expect(stats.rates).toMatchObject({ open: null, click: null, clickToOpen: null })
  expect(stats.links).toMatchObject([{ url: 'https://example.com/about', clicks: 1, unique: null }])
  expect(stats.timeline.reduce((sum, { opens, clicks, machine }) => sum + opens + clicks + machine, 0)).toBe(4)
  expect(stats.receivers).toMatchObject([{ opened: null, clicked: null }])
  for (const event of ['opened', 'not_opened', 'no_response'] as const)
    expect((await person.api(campaigns.messages, { params, query: { event } })).items, event).toEqual([])
  const again = { params, body: { subject: 'Again', to: 'no_response' as const } }
  await expect(person.api(campaignReports.resend, again)).rejects.toMatchObject({ code: 'not_tracked' })
  for (const is of ['ofCampaign', 'notOfCampaign'])
    expect(
      (
        await person.api(segments.preview, {
          body: { filter: { op: 'and', items: [{ field: 'opened', is, value: draft.id }] } },
        })
      ).count,
    ).toBe(0)
})
