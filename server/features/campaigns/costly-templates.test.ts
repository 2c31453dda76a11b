import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, HTML, listWith, untilState } from '#server/testing/campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

/** Costs next to nothing, but for those whose attribute `n` is a number: then the search is the square of 2^n. */
const SEARCH = `{% assign h = 'a' %}{% for i in (1..attributes.n) %}{% assign h = h | append: h %}{% endfor %}{% assign p = h | append: 'b' | append: h %}{% if h contains p %}1{% endif %}`
const LINK = `https://example.com/offer?c=${SEARCH}`

/** Gives a contact other attributes, behind every check. */
const become = (person: Person, email: string, attributes: Record<string, unknown>) =>
  sql`update contacts set attributes = ${JSON.stringify(attributes)} where workspace_id = ${person.workspaceId} and email = ${email}`.execute(
    t.services.db,
  )

const check = (person: Person, id: string) => person.api(campaigns.check, { params: { id } })
const send = (person: Person, id: string) => person.api(campaigns.send, { params: { id }, body: {} })

test('costly template: it fails for the one recipient it is costly for, and other campaigns continue', async () => {
  const [ada, eve] = [await t.person(), await t.person()]
  const draft = await draftTo(ada, await listWith(t.services, ada, 20, (n) => `costly${n}@example.com`), {
    html: HTML.replace('about us', `about ${SEARCH}`),
  })
  // Short attributes, and not among the first: no sample shows it.
  await become(ada, 'costly20@example.com', { n: 20 })
  const other = await draftTo(eve, await listWith(t.services, eve, 5, (n) => `other${n}@example.com`))
  expect(await check(ada, draft.id)).toMatchObject({ ok: true })
  await send(ada, draft.id)
  await send(eve, other.id)
  expect((await untilState(eve, other.id, ['sent'])).counts).toMatchObject({ sent: 5 })
  expect((await untilState(ada, draft.id, ['sent'])).counts).toMatchObject({ sent: 19, failed: 1 })
  const failed = await t.services.db
    .selectFrom('messages')
    .where('campaignId', '=', draft.id)
    .where('state', '=', 'failed')
    .select(['address', 'reason'])
    .execute()
  expect(failed).toEqual([{ address: 'costly20@example.com', reason: 'content' }])
})

test('costly template: one too costly for the longest attributes is refused before sending', async () => {
  const ada = await t.person()
  const draft = await draftTo(ada, await listWith(t.services, ada, 30, (n) => `long${n}@example.com`), {
    html: HTML.replace('about us', `about ${'{% if attributes.a contains attributes.b %}1{% endif %}'.repeat(40)}`),
  })
  expect(await check(ada, draft.id)).toMatchObject({ ok: true })
  await become(ada, 'long17@example.com', { a: 'a'.repeat(5_000), b: `${'a'.repeat(2_400)}b` })
  const { ok, problems } = await check(ada, draft.id)
  expect(ok).toBe(false)
  expect(problems.map(({ message }) => message).join()).toMatch(/For long17@example\.com: .*more work than one message/)
  const link = await draftTo(ada, draft.listIds[0] as string, {
    html: HTML.replace(
      'https://example.com/about',
      `https://example.com/?${'{% if attributes.a contains attributes.b %}1{% endif %}'.repeat(40)}`,
    ),
  })
  expect((await check(ada, link.id)).problems.map(({ message }) => message).join()).toMatch(/For long17@.*more work/)
  const template = await ada.api(templates.create, {
    body: {
      name: 'Costly',
      subject: 'Hi',
      html: `<p>${'{% if attributes.a contains attributes.b %}1{% endif %}'.repeat(40)} Hi</p>`,
    },
  })
  expect(template.problems).toContainEqual(expect.objectContaining({ severity: 'error', code: 'too_much_work' }))
})

test('costly template: a filter that evaluates expressions is refused with its line', async () => {
  const ada = await t.person()
  const draft = await draftTo(ada, await listWith(t.services, ada, 1), {
    html: HTML.replace('about us', "{% assign a = attributes.a | split: ',' %}{{ a | has_exp: 'x', attributes.e }}"),
  })
  const { ok, problems } = await check(ada, draft.id)
  expect(ok).toBe(false)
  expect(problems.map(({ message }) => message).join()).toContain('There is no filter “has_exp”')
})

test('costly template: a costly link and web view respond with 404 and delay nobody', async () => {
  const ada = await t.person()
  const draft = await draftTo(ada, await listWith(t.services, ada, 2, (n) => `click${n}@example.com`), {
    html: `<p><a href="${LINK}">Offer</a> <a href="{{ view_url }}">View</a> ${SEARCH} Hello</p>`,
  })
  await send(ada, draft.id)
  await untilState(ada, draft.id, ['sent'])
  const pathsIn = async (email: string) => {
    const { html = '' } = await t.sink.mailTo(email)
    return { click: /\/t\/c\/[\w-]+/.exec(html)?.[0] ?? '', view: /\/v\/[\w-]+/.exec(html)?.[0] ?? '' }
  }
  const [plain, costly] = [await pathsIn('click1@example.com'), await pathsIn('click2@example.com')]
  await become(ada, 'click2@example.com', { n: 20 })
  /** Returns the status of a visit, and the time the request thread worked meanwhile. */
  const visit = async (path: string) => {
    const before = process.threadCpuUsage()
    const { status } = await fetch(`${t.address}${path}`, { redirect: 'manual' })
    const { user, system } = process.threadCpuUsage(before)
    return { status, ms: (user + system) / 1_000 }
  }
  await visit(plain.click)
  await visit(plain.view)
  const ordinary = await visit(plain.click)
  expect(ordinary.status).toBe(302)
  expect((await visit(plain.view)).status).toBe(200)
  for (const path of [costly.click, costly.view]) {
    const [answered, alive] = await Promise.all([visit(path), visit('/healthz')])
    expect(answered.status).toBe(404)
    expect(alive.status).toBe(200)
    expect(answered.ms).toBeLessThan(200 + 50 * ordinary.ms)
  }
})
