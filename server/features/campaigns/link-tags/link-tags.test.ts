import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import { tagClicks } from '#server/features/contacts/tags/click-tags.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { until, untilPasses } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36'
const ABOUT = 'https://example.com/about'

test('link tags: a click by a person adds the tag once, a click by a bot adds none, and copies have the tags too', async () => {
  const person = await t.person()
  const { api, workspaceId } = person
  const { db } = t.services
  const [warm, hot] = [
    await api(tags.create, { body: { name: 'Warm' } }),
    await api(tags.create, { body: { name: 'Hot' } }),
  ]
  const listId = await listWith(t.services, person, 3, (n) => `clicker${n}@tags.example`)
  const linkTags = [{ url: ABOUT, tags: [warm.id, hot.id] }]
  const { id } = await draftTo(person, listId, { linkTags })
  expect(await api(campaigns.get, { params: { id } })).toMatchObject({ linkTags })
  expect((await api(campaigns.check, { params: { id } })).links).toContain(ABOUT)
  await api(campaigns.send, { params: { id }, body: {} })
  await untilState(person, id, ['sent'])
  const click = async (n: number, userAgent: string) => {
    const { html } = await t.sink.mailTo(`clicker${n}@tags.example`)
    const path = /\/t\/c\/[\w.-]+(?=">about us)/.exec(html || '')?.[0] ?? ''
    expect((await t.inject({ url: path, headers: { 'user-agent': userAgent } })).headers.location).toBe(ABOUT)
  }
  await click(1, PERSON)
  await click(2, 'Barracuda Sentinel (EE)')
  // A click may still turn out to be a machine's: its tags come after a while.
  await sql`update events set at = (at at time zone 'utc' - interval '3 minutes') at time zone 'utc' where workspace_id = ${workspaceId}`.execute(
    db,
  )
  const find = async (n: number) => (await api(contacts.list, { query: { q: `clicker${n}@tags.example` } })).items[0]
  const first = await until(async () => {
    const found = await find(1)
    return found && found.tags.length > 0 && found
  }, 'the tags of a click')
  expect(first.tags).toEqual([warm.id, hot.id])
  expect([(await find(2))?.tags, (await find(3))?.tags]).toEqual([[], []])
  const { items } = await api(contactTimeline.show, { params: { id: first.id }, query: {} })
  const tagged = items.filter(({ kind }) => kind === 'tagged')
  expect(tagged.map(({ detail, url, campaign }) => [detail, url, campaign?.id]).toSorted()).toEqual([
    ['Hot', ABOUT, id],
    ['Warm', ABOUT, id],
  ])
  // Taken off by hand it stays off, however often clicks are looked at; the second click of the test shows that they were.
  await api(contacts.update, { params: { id: first.id }, body: { tags: [warm.id] } })
  await click(3, PERSON)
  // What an outage held back is stored after newer clicks; these get their tags all the same.
  await sql`insert into events (workspace_id, campaign_id, message_id, kind, at, class)
    select workspace_id, campaign_id, message_id, 'open', now() - interval '1 hour', 'human' from events
    where workspace_id = ${workspaceId} order by id desc limit 1`.execute(db)
  await tagClicks(t.services, AbortSignal.timeout(60_000))
  await sql`update events set at = now() - interval '3 minutes' where workspace_id = ${workspaceId}`.execute(db)
  await untilPasses(async () => expect((await find(3))?.tags).toEqual([warm.id, hot.id]))
  expect((await find(1))?.tags).toEqual([warm.id])

  // A tag that is deleted is gone from links and timelines.
  await api(tags.remove, { params: { id: hot.id } })
  const copy = await api(campaignReports.duplicate, { params: { id } })
  expect(copy.linkTags).toEqual([{ url: ABOUT, tags: [warm.id] }])
  await untilPasses(async () => {
    const { rows } =
      await sql`select from tag_clicks where workspace_id = ${workspaceId} and tag_id = ${hot.id}`.execute(db)
    expect(rows).toEqual([])
  })
  const codes = async () => (await api(campaigns.check, { params: { id: copy.id } })).problems.map(({ code }) => code)
  await api(campaigns.update, { params: { id: copy.id }, body: { html: '<p>Nothing</p>' } })
  expect(await codes()).toContain('link_tag_unused')
  await api(campaigns.update, { params: { id: copy.id }, body: { trackClicks: false } })
  expect(await codes()).toContain('link_tags_untracked')
})

test('link tags: unknown tags, a link twice, and campaigns over other channels are refused by name', async () => {
  const [person, other] = [await t.person({ plan: 'business' }), await t.person()]
  const theirs = await other.api(tags.create, { body: { name: 'Secret' } })
  const mine = await person.api(tags.create, { body: { name: 'Mine' } })
  const make = (body: object) => person.api(campaigns.create, { body: { name: 'News', ...body } })
  const link = (...ids: string[]) => ({ url: ABOUT, tags: ids })
  for (const [body, field] of [
    [{ linkTags: [link(theirs.id)] }, 'linkTags.0.tags'],
    [{ linkTags: [link()] }, 'linkTags.0.tags'],
    [{ linkTags: [link(mine.id), link(mine.id)] }, 'linkTags'],
    [{ channel: 'gmail', linkTags: [link(mine.id)] }, 'linkTags'],
    [{ channel: 'whatsapp', linkTags: [link(mine.id)] }, 'linkTags'],
  ] as const)
    await expect(make(body)).rejects.toMatchObject({ status: 400, details: [{ field }] })
})
