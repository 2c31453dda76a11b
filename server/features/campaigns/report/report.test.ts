import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports as reports } from '#contracts/campaigns/report/report.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { CHROME, GMAIL, sentCampaign } from '#server/features/tracking/testing.ts'
import { hashToken, randomToken } from '#server/platform/crypto.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

type Sent = Awaited<ReturnType<typeof sentCampaign>>

/** Somebody's own requests: one after the other, because a burst of clicks would be a scanner's. */
async function visit(sent: Sent, index: number, what: 'open' | 'click', agent = CHROME, link = 0) {
  const id = sent.messages[index]?.id ?? ''
  const path = what === 'open' ? `/t/o/${sent.tokens.sign('open', id)}` : `/t/c/${sent.tokens.sign('click', id, link)}`
  await t.inject({ url: path, headers: { 'user-agent': agent } })
}

async function unsubscribe(sent: Sent, index: number) {
  const token = sent.tokens.sign('unsubscribe', sent.messages[index]?.id ?? '')
  await t.inject({ method: 'POST', url: `/u/${token}`, payload: 'List-Unsubscribe=One-Click' })
}

const addresses = (sent: Sent, ...indexes: number[]) => indexes.map((index) => sent.messages[index]?.address)

async function find(person: Person, id: string, query: Record<string, unknown>) {
  const { items, total } = await person.api(campaigns.messages, { params: { id }, query })
  return { addresses: items.map((item) => item.address), total }
}

/** Twelve people: 0 and 1 opened (1 in Gmail), 2 clicked the second link, 3 unsubscribed, a bot opened 4, 5 bounced. */
async function answered(person: Person): Promise<Sent> {
  const sent = await sentCampaign(t.services, person, { people: 12 })
  await visit(sent, 0, 'open')
  await visit(sent, 1, 'open', GMAIL)
  await visit(sent, 2, 'click', CHROME, 1)
  await unsubscribe(sent, 3)
  await visit(sent, 4, 'open', 'Barracuda Sentinel')
  await t.services.db
    .updateTable('messages')
    .set({ state: 'failed', reason: 'hard', sentAt: null })
    .where('id', '=', sent.messages[5]?.id ?? '')
    .execute()
  return sent
}

test('recipients: what they did finds them, people and bots apart', async () => {
  const person = await t.person()
  const sent = await answered(person)
  const by = (query: Record<string, unknown>) => find(person, sent.id, query)
  expect(await by({ event: 'opened' })).toEqual({ addresses: addresses(sent, 0, 1), total: 2 })
  expect((await by({ event: 'opened', machine: 'true' })).addresses).toEqual(addresses(sent, 4))
  expect((await by({ event: 'opened', client: 'Gmail' })).addresses).toEqual(addresses(sent, 1))
  expect((await by({ client: 'Web mail in Chrome' })).addresses).toEqual(addresses(sent, 0))
  expect((await by({ event: 'clicked' })).addresses).toEqual(addresses(sent, 2))
  expect((await by({ link: 1 })).addresses).toEqual(addresses(sent, 2))
  expect(await by({ link: 0 })).toEqual({ addresses: [], total: 0 })
  expect((await by({ event: 'unsubscribed' })).addresses).toEqual(addresses(sent, 3))
  expect((await by({ event: 'bounced' })).addresses).toEqual(addresses(sent, 5))
  expect((await by({ event: 'not_opened' })).total).toBe(9)
  expect((await by({ event: 'no_response' })).addresses).toEqual(addresses(sent, 4, 6, 7, 8, 9, 10, 11))
  expect((await by({ event: 'opened', state: 'failed' })).total).toBe(0)
  expect((await by({ event: 'replied' })).total).toBe(0)
  const { links, bounces } = await person.api(campaigns.stats, { params: { id: sent.id } })
  expect([links[0]?.link, bounces]).toEqual([1, 1])
  const csv = await t.inject({
    url: `/api/campaigns/${sent.id}/messages/export?event=clicked`,
    headers: { authorization: `Bearer ${person.token}` },
  })
  expect(csv.body.trim().split('\n')).toHaveLength(2)
})

test('recipients: they come by last activity or in natural order, page by page', async () => {
  const person = await t.person()
  const sent = await answered(person)
  const walk = async (sort: 'activity' | 'address') => {
    const found: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await person.api(campaigns.messages, {
        params: { id: sent.id },
        query: { sort, limit: 5, ...(cursor && { cursor }) },
      })
      found.push(...page.items.map(({ address }) => address))
      if (!page.nextCursor) return found
      cursor = page.nextCursor
    }
  }
  const active = await walk('activity')
  expect(active.slice(0, 4)).toEqual(addresses(sent, 3, 2, 1, 0))
  expect(new Set(active).size).toBe(12)
  expect(await walk('address')).toEqual(sent.messages.map(({ address }) => address))
  const page = await person.api(campaigns.messages, { params: { id: sent.id }, query: { sort: 'activity', limit: 1 } })
  expect(page.items[0]?.activityAt).toBe(page.items[0]?.unsubscribedAt)
})

test('recipients: an unknown event, a foreign cursor and parts that do not fit are refused by their field', async () => {
  const person = await t.person()
  const { id } = await sentCampaign(t.services, person, { people: 3 })
  const { nextCursor } = await person.api(campaigns.messages, { params: { id }, query: { limit: 1 } })
  for (const [query, field] of [
    ['event=smiled', 'event'],
    ['machine=yes', 'machine'],
    ['machine=true', 'machine'],
    ['link=x', 'link'],
    ['link=', 'link'],
    ['limit=', 'limit'],
    ['link=1&event=opened', 'link'],
    ['client=Gmail&event=clicked', 'client'],
    ['sort=name', 'sort'],
    [`sort=activity&cursor=${nextCursor}`, 'cursor'],
    ['cursor=12', 'cursor'],
  ]) {
    const response = await t.inject({
      url: `/api/campaigns/${id}/messages?${query}`,
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect([query, response.statusCode, response.json().details?.[0]?.field]).toEqual([query, 400, field])
  }
})

test('recipients: a filter becomes a list, and who unsubscribed stays so on it', async () => {
  const person = await t.person()
  const sent = await answered(person)
  const params = { id: sent.id }
  const saved = await person.api(reports.toList, { params, body: { name: 'Opened: News', event: 'opened' } })
  expect(saved).toMatchObject({ name: 'Opened: News', people: 2 })
  const members = await person.api(contacts.list, { query: { listId: saved.listId } })
  expect(members.items.map(({ email }) => email).sort()).toEqual(addresses(sent, 0, 1).sort())
  const gone = await person.api(reports.toList, { params, body: { name: 'Left', event: 'unsubscribed' } })
  expect(await person.api(lists.get, { params: { id: gone.listId } })).toMatchObject({ contacts: 0, unsubscribed: 1 })
  const before = (await person.api(lists.list, { query: {} })).items.length
  await expect(person.api(reports.toList, { params, body: { name: 'None', link: 0 } })).rejects.toMatchObject({
    status: 409,
  })
  expect((await person.api(lists.list, { query: {} })).items).toHaveLength(before)
})

test('copies: a duplicate is a draft like its campaign, and a resend goes to who did not respond', async () => {
  const person = await t.person()
  const sent = await answered(person)
  const params = { id: sent.id }
  await person.api(campaigns.update, { params, body: { name: 'Spring' } })
  const copy = await person.api(reports.duplicate, { params })
  expect(copy).toMatchObject({ name: 'Spring (copy)', state: 'draft', listIds: [sent.listId], startedAt: null })
  expect(copy.counts.recipients).toBe(0)
  const again = await person.api(reports.resend, { params, body: { subject: 'Once more', to: 'no_response' } })
  expect(again).toMatchObject({ name: 'Spring (resend)', subject: 'Once more', state: 'draft' })
  const [listId] = again.listIds
  expect(await person.api(lists.get, { params: { id: listId ?? '' } })).toMatchObject({ contacts: 7, unsubscribed: 0 })
  const draft = await person.api(campaigns.create, { body: { name: 'Draft' } })
  await expect(
    person.api(reports.resend, { params: { id: draft.id }, body: { subject: 'Hi', to: 'no_response' } }),
  ).rejects.toMatchObject({ status: 409 })
  await expect(
    person.api(reports.resend, { params: { id: copy.id }, body: { subject: ' ', to: 'no_response' } }),
  ).rejects.toMatchObject({ status: 400, details: [{ field: 'subject' }] })
})

test('averages: earlier campaigns of the channel are averaged, and none is said to be none', async () => {
  const person = await t.person()
  const first = await sentCampaign(t.services, person, { people: 4, sentSecondsAgo: 7_200 })
  expect(await person.api(reports.averages, { params: { id: first.id } })).toMatchObject({
    campaigns: 0,
    rates: { open: null },
  })
  await visit(first, 0, 'open')
  await sentCampaign(t.services, person, { people: 2, sentSecondsAgo: 5_400, trackOpens: false })
  const { id } = await sentCampaign(t.services, person, { people: 2, sentSecondsAgo: 3_600 })
  expect(await person.api(reports.averages, { params: { id } })).toMatchObject({
    campaigns: 2,
    rates: { delivered: 1, open: 0.25, click: 0, bounce: null, read: null },
  })
})

test('click map: the people who clicked stand beside each link, and hostile labels stay text', async () => {
  const person = await t.person()
  const html = `<p><a href="https://example.com/one?for={{ attributes.company | url_encode }}">Read {{ name }}&lt;script&gt;alert(1)&lt;/script&gt;</a>
    <a href="https://example.com/two"><img src="https://example.com/b.png" alt="A &quot;button&quot;"></a> <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>`
  const sent = await sentCampaign(t.services, person, { people: 2, html })
  await visit(sent, 0, 'click')
  const email = await person.api(reports.email, { params: { id: sent.id } })
  expect(email.links).toEqual([
    { link: 0, label: 'Read Alex<script>alert(1)</script>' },
    { link: 1, label: 'A "button"' },
  ])
  expect(email.clickMap).toContain('title="People who clicked: 1">1<')
  expect(email.clickMap).toContain('title="People who clicked: 0">0<')
  expect(email.html).not.toContain('People who clicked')
  for (const page of [email.html, email.clickMap ?? '']) {
    expect(page).toContain('href="https://example.com/two"')
    expect(page).not.toMatch(/<script|\.invalid|\{\{/)
  }
})

test('sharing: a link shows the figures and no address until it is revoked', async () => {
  const [person, stranger] = [await t.person(), await t.person()]
  const sent = await answered(person)
  const params = { id: sent.id }
  const share = await person.api(reports.share, { params, body: { expiresInDays: 7 } })
  const token = share.url.split('/r/')[1] ?? ''
  const look = (of = token) => t.inject({ url: `/api/shared-reports/${of}` })
  const shown = await look()
  expect(shown.statusCode).toBe(200)
  expect(shown.json()).toMatchObject({ name: 'News', counts: { recipients: 12 }, stats: { opens: { unique: 2 } } })
  for (const { address } of sent.messages) expect(shown.body.toLowerCase()).not.toContain(address.toLowerCase())
  const { rows } = await sql<{ row: string }>`select campaign_shares::text as row from campaign_shares
    where workspace_id = ${person.workspaceId}`.execute(t.services.db)
  expect(rows[0]?.row).not.toContain(token)
  for (const forged of ['x', `${token}x`, token.slice(1), 'a'.repeat(100)])
    expect((await look(forged)).statusCode).toBe(404)
  expect((await person.api(reports.shares, { params })).items).toMatchObject([{ id: share.id }])
  const other = { id: sent.id, shareId: share.id }
  await expect(stranger.api(reports.unshare, { params: other })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.api(reports.shares, { params })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.api(reports.share, { params, body: {} })).rejects.toMatchObject({ status: 404 })
  await person.api(reports.unshare, { params: other })
  expect((await look()).statusCode).toBe(404)
  expect((await person.api(reports.shares, { params })).items).toEqual([])
  const atOnce = await Promise.allSettled(
    Array.from({ length: 24 }, () => person.api(reports.share, { params, body: {} })),
  )
  expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  for (const { id } of (await person.api(reports.shares, { params })).items)
    await person.api(reports.unshare, { params: { ...params, shareId: id } })
  const late = await person.api(reports.share, { params, body: { expiresInDays: 1 } })
  await t.services.db
    .updateTable('campaignShares')
    .set({ expiresAt: new Date(Date.now() - 1_000) })
    .where('id', '=', late.id)
    .execute()
  expect((await look(late.url.split('/r/')[1])).statusCode).toBe(404)
  // A link of before links were signed.
  const earlier = await person.api(reports.share, { params, body: {} })
  const plain = randomToken()
  const change = t.services.db.updateTable('campaignShares').set({ tokenHash: hashToken(plain) })
  await change.where('workspaceId', '=', person.workspaceId).where('id', '=', earlier.id).execute()
  expect((await look(plain)).statusCode).toBe(200)
  expect((await look(earlier.token)).statusCode).toBe(404)
})

/** A WhatsApp campaign to three people: delivered to all but the last, read by the first, who replied. */
async function sentMessages(person: Person): Promise<Sent> {
  const { db } = t.services
  const sent = await sentCampaign(t.services, person, { people: 3 })
  await db.updateTable('campaigns').set({ channel: 'whatsapp' }).where('id', '=', sent.id).execute()
  const { id: account } = sent
  for (const [index, { id }] of sent.messages.entries())
    await sql`insert into whatsapp_messages (workspace_id, account_id, conversation_id, direction, kind, status, campaign_id, message_id, at, delivered_at, read_at)
      values (${person.workspaceId}, ${account}, ${id}, 'out', 'template', 'sent', ${sent.id}, ${id}, now() - interval '1 hour',
        ${index < 2 ? new Date() : null}, ${index < 1 ? new Date() : null})`.execute(db)
  await sql`insert into whatsapp_messages (workspace_id, account_id, conversation_id, direction, kind, status)
    values (${person.workspaceId}, ${account}, ${sent.messages[0]?.id}, 'in', 'text', 'received')`.execute(db)
  return sent
}

test('recipients: those of a WhatsApp campaign are found by delivery, reading and replies', async () => {
  const person = await t.person()
  const sent = await sentMessages(person)
  const by = (event: string) => find(person, sent.id, { event, sort: 'activity' })
  expect((await by('delivered')).addresses.sort()).toEqual(addresses(sent, 0, 1))
  expect((await by('read')).addresses).toEqual(addresses(sent, 0))
  expect(await by('replied')).toEqual({ addresses: addresses(sent, 0), total: 1 })
  expect((await find(person, sent.id, { sort: 'activity' })).total).toBe(3)
  const resend = { params: { id: sent.id }, body: { subject: 'Hi', to: 'no_response' as const } }
  await expect(person.api(reports.resend, resend)).rejects.toMatchObject({ status: 409 })
  await expect(person.api(reports.email, { params: { id: sent.id } })).rejects.toMatchObject({ status: 409 })
  const { url } = await person.api(reports.share, { params: { id: sent.id }, body: {} })
  const shared = (await t.inject({ url: `/api/shared-reports/${url.split('/r/')[1]}` })).json()
  expect(shared).toMatchObject({
    channel: 'whatsapp',
    email: null,
    delivery: { tried: 0, delivered: 2, read: 1, replied: 1 },
  })
})

test('copies: a campaign over a paid channel is not duplicated on the free plan', async () => {
  const free = await t.person({ plan: 'free' })
  const { id } = await sentCampaign(t.services, free, { people: 1 })
  await t.services.db.updateTable('campaigns').set({ channel: 'gmail' }).where('id', '=', id).execute()
  await expect(free.api(reports.duplicate, { params: { id } })).rejects.toMatchObject({ status: 403 })
})
