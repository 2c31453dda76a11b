import PostalMime from 'postal-mime'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, letTimePass, listWith, untilState } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const HTML =
  '<p>Still there? <a href="https://example.com/again">Look</a> <a href="{{ unsubscribe_url }}">No more</a></p>'
let n = 0

/** A person, a connected account and a draft to so many people with these follow-ups. */
async function ready(count: number, steps: Record<string, unknown>[], accounts = 1) {
  const ada = await t.person()
  const emails = Array.from({ length: accounts }, () => `follow${++n}@gmail.com`)
  const senderIds: string[] = []
  for (const email of emails) senderIds.push(await gmailVisitor(t, ada).account(email))
  const listId = await listWith(t.services, ada, count)
  const { id } = await draftTo(ada, listId, { channel: 'gmail', senderIds })
  const items = steps.map((step) => ({ afterMinutes: 60, html: HTML, ...step }))
  await ada.api(followUps.save, { params: { id }, body: { items } })
  const send = () => ada.api(campaigns.send, { params: { id }, body: {} })
  return { ada, emails, id, send }
}
const sequence = async (person: Person, id: string) => (await person.api(followUps.list, { params: { id } })).items
/** The follow-ups once they are as told. */
const untilMet = (person: Person, id: string, met: (steps: Awaited<ReturnType<typeof sequence>>) => boolean) =>
  until(async () => {
    const steps = await sequence(person, id)
    return met(steps) && steps
  }, String(met))
async function mails(email: string) {
  const { messages } = await gmailControl(t, { email })
  return Promise.all(
    messages.map(async ({ raw, threadId }) => {
      const mail = await PostalMime.parse(Buffer.from(raw, 'latin1'))
      const header = (key: string) => mail.headers.find((one) => one.key === key)?.value
      return { threadId, to: mail.to?.[0]?.address, subject: mail.subject, header, html: mail.html ?? '' }
    }),
  )
}

test('sequence: three steps go to each recipient in one thread with one subject', async () => {
  const { ada, emails, id, send } = await ready(2, [{}, { afterMinutes: 120 }])
  await send()
  const [second] = await untilMet(ada, id, ([step]) => step?.counts.queued === 2)
  expect(Date.parse(second?.nextAt ?? '') - Date.now()).toBeGreaterThan(55 * 60_000)
  const waiting = await ada.api(campaigns.get, { params: { id } })
  expect(waiting).toMatchObject({ state: 'sending', forecast: { nextStep: 2, lastAt: null } })
  expect(Date.parse(waiting.forecast?.nextAt ?? '') - Date.now()).toBeGreaterThan(55 * 60_000)
  // A person who is renamed keeps the thread's subject.
  const [person] = (await ada.api(contacts.list, { query: { q: 'r1@' } })).items
  await ada.api(contacts.update, { params: { id: person?.id ?? '' }, body: { name: 'Somebody Else' } })
  await letTimePass(t.services, id, second?.id)
  const [, third] = await untilMet(ada, id, ([, step]) => step?.counts.queued === 2)
  await letTimePass(t.services, id, third?.id)
  await untilState(ada, id, ['sent'])
  const all = await mails(emails[0] ?? '')
  expect(all).toHaveLength(6)
  for (const to of ['r1@example.com', 'r2@example.com']) {
    const [first, second, third] = all.filter((mail) => mail.to === to)
    expect(new Set([first?.threadId, second?.threadId, third?.threadId]).size).toBe(1)
    const subject = `News for Person ${to[1]}`
    expect([first?.subject, second?.subject, third?.subject]).toEqual([subject, `Re: ${subject}`, `Re: ${subject}`])
    const ids = [first, second, third].map((mail) => mail?.header('message-id'))
    expect(second?.header('in-reply-to')).toBe(ids[0])
    expect(third?.header('in-reply-to')).toBe(ids[1])
    expect(third?.header('references')).toBe(`${ids[0]} ${ids[1]}`)
    expect(third?.html).toContain('/t/c/')
  }
}, 180_000)

test('sequence: a recipient who clicked or unsubscribed gets no later step, and the reason is counted', async () => {
  const { ada, emails, id, send } = await ready(4, [{ stopOnClick: true }, {}])
  await send()
  const [step] = await untilMet(ada, id, ([step]) => step?.counts.queued === 4)
  const all = await mails(emails[0] ?? '')
  const link = (to: string, pattern: RegExp) =>
    pattern.exec(all.find((mail) => mail.to === to)?.html.replaceAll('&amp;', '&') ?? '')?.[0] ?? ''
  const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
  const clicked = new URL(link('r1@example.com', /http[^"]*\/t\/c\/[^"]+/))
  await t.inject({ url: clicked.pathname, headers: { 'user-agent': CHROME } })
  const left = new URL(link('r2@example.com', /http[^"]*\/u\/[^"]+/))
  await t.inject({ method: 'POST', url: left.pathname, payload: 'List-Unsubscribe=One-Click' })
  // A click is believed once it is clear that no machine made it.
  await t.services.db
    .updateTable('events')
    .set({ at: new Date(Date.now() - 60_000) })
    .where('workspaceId', '=', ada.workspaceId)
    .execute()
  await letTimePass(t.services, id, step?.id)
  const [second, third] = await untilMet(ada, id, ([, third]) => third?.counts.queued === 2)
  expect(second).toMatchObject({
    counts: { recipients: 4, sent: 2, suppressed: 2 },
    stopped: { clicked: 1, unsubscribed: 1, replied: 0, bounced: 0, other: 0 },
  })
  expect(third?.counts.recipients).toBe(2)
  await ada.api(campaigns.cancel, { params: { id } })
  // Canceled, its time comes and nothing is sent.
  await letTimePass(t.services, id, third?.id)
  expect((await mails(emails[0] ?? '')).map(({ to }) => to).toSorted()).toEqual(
    ['r1', 'r2', 'r3', 'r3', 'r4', 'r4'].map((name) => `${name}@example.com`),
  )
}, 180_000)

test('sequence: a follow-up is sent from the account of its thread', async () => {
  const { ada, emails, id, send } = await ready(12, [{}], 2)
  await send()
  const [step] = await untilMet(ada, id, ([step]) => step?.counts.queued === 12)
  await letTimePass(t.services, id, step?.id)
  await untilState(ada, id, ['sent'])
  let total = 0
  for (const email of emails) {
    const all = await mails(email)
    total += all.length
    const firsts = all.filter(({ subject }) => !subject?.startsWith('Re: '))
    const later = all.filter(({ subject }) => subject?.startsWith('Re: '))
    expect(later.map(({ to }) => to).toSorted()).toEqual(firsts.map(({ to }) => to).toSorted())
  }
  expect(total).toBe(24)
}, 180_000)

test('sequence: a test sends the requested step from the requested account', async () => {
  const { ada, emails, id } = await ready(1, [{}, {}], 2)
  const { senderIds } = await ada.api(campaigns.get, { params: { id } })
  const tried = (body: { step?: number; senderId?: string | undefined }) =>
    ada.api(campaigns.test, { params: { id }, body: { to: 'me@example.com', ...body } })
  expect(await tried({ step: 3, senderId: senderIds[1] })).toMatchObject({
    ok: true,
    message: `Follow-up 2 was sent to me@example.com from ${emails[1]}.`,
  })
  expect((await tried({})).message).toBe(`The first email was sent to me@example.com from ${emails[0]}.`)
  const got = await Promise.all(emails.map(mails))
  expect(got.map((one) => one.map(({ subject }) => subject))).toEqual([
    ['[Test] News for Robin Example'],
    ['[Test] Follow-up 2: Re: News for Robin Example'],
  ])
  await expect(tried({ step: 4 })).rejects.toMatchObject({ status: 400 })
  const other = await gmailVisitor(t, ada).account(`follow${++n}@gmail.com`)
  await expect(tried({ senderId: other })).rejects.toMatchObject({ status: 400 })
})
