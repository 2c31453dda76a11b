import { afterAll, beforeAll, expect, test } from 'vitest'
import { billing } from '#contracts/billing/billing.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ environment: { MAIL_FROM: 'Postlark <no-reply@postlark.example>' } })
})
afterAll(() => t[Symbol.asyncDispose]())

async function findDefaultSender(person: Person): Promise<string> {
  return (await person.api(senders.list, { query: {} })).items[0]?.id ?? ''
}

const setFrom = async (person: Person, fromEmail: string) =>
  person.api(senders.update, { params: { id: await findDefaultSender(person) }, body: { fromEmail } })

test('From address: nothing is sent over SMTP_URL from an unconfirmed address', async () => {
  const mallory = await t.person()
  const { fromConfirmed } = await setFrom(mallory, 'security@bank.example')
  expect(fromConfirmed).toBe(false)
  const { id } = await draftTo(mallory, await listWith(t.services, mallory, 1))
  const params = { id }
  expect((await mallory.api(campaigns.check, { params })).problems).toContainEqual(
    expect.objectContaining({ severity: 'error', code: 'from_unconfirmed' }),
  )
  const to = 'victim@example.com'
  const senderId = await findDefaultSender(mallory)
  for (const refused of [
    () => mallory.api(campaigns.test, { params, body: { to } }),
    () => mallory.api(senders.test, { params: { id: senderId }, body: { to } }),
    () => mallory.api(campaigns.send, { params, body: {} }),
  ])
    await expect(refused()).rejects.toMatchObject({ status: 409 })
  const mail = await t.sink.mailTo('security@bank.example')
  expect(mail.from?.address).toBe('no-reply@postlark.example')
  expect(mail.text).toContain(mallory.email)
  expect(t.sink.received.flatMap((one) => one.to)).not.toContain(to)
})

test('From address: the button of the link confirms it for one workspace, and opening does not', async () => {
  const [ada, mallory] = [await t.person(), await t.person()]
  await setFrom(ada, 'News@Shop.example')
  await setFrom(mallory, 'news@shop.example')
  const mail = await t.sink.waitFor(
    ({ to, raw }) => to[0]?.toLowerCase() === 'news@shop.example' && raw.includes(ada.email),
  )
  const path = /\/confirm-address\/\S+/.exec(mail.text ?? '')?.[0] ?? ''
  const id = await findDefaultSender(ada)
  const isConfirmed = async (person: Person) => (await person.api(senders.list, { query: {} })).items[0]?.fromConfirmed
  const page = await fetch(t.address + path)
  expect(await page.text()).toContain(ada.email)
  expect(await isConfirmed(ada)).toBe(false)
  expect((await fetch(`${t.address}${path.slice(0, -1)}x`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(t.address + path, { method: 'POST' })).status).toBe(200)
  expect(await isConfirmed(ada)).toBe(true)
  expect(await isConfirmed(mallory)).toBe(false)
  await expect(ada.api(senders.confirmation, { params: { id } })).rejects.toMatchObject({ status: 409 })
  const draft = await draftTo(ada, await listWith(t.services, ada, 1, () => 'reader@example.com'))
  await ada.api(campaigns.send, { params: { id: draft.id }, body: {} })
  await untilState(ada, draft.id, ['sent'])
  expect((await t.sink.mailTo('reader@example.com')).from?.address).toBe('News@shop.example')
})

test('From address: the domain of MAIL_FROM, own addresses and admins need no confirmation', async () => {
  const [ada, admin] = [await t.person(), await t.person({ role: 'admin' })]
  expect((await setFrom(ada, 'ada@POSTLARK.example')).fromConfirmed).toBe(true)
  expect((await setFrom(ada, 'ada@sub.postlark.example')).fromConfirmed).toBe(false)
  expect((await setFrom(ada, ada.email.toUpperCase())).fromConfirmed).toBe(true)
  expect((await setFrom(admin, 'anybody@elsewhere.example')).fromConfirmed).toBe(true)
})

test('From address: an address gets at most five confirmation emails an hour', async () => {
  const status = async () => {
    const person = await t.person()
    return setFrom(person, 'flooded@example.com').then(
      () => 200,
      (error) => error.status,
    )
  }
  const replies: number[] = []
  for (let i = 0; i < 6; i++) replies.push(await status())
  expect(replies).toEqual([200, 200, 200, 200, 200, 429])
})

test('From address: test emails count toward the limits and go to few addresses', async () => {
  const ada = await t.person()
  const { id } = await draftTo(ada, await listWith(t.services, ada, 1))
  const send = (to: string) => ada.api(campaigns.test, { params: { id }, body: { to } })
  await ada.api(suppressions.create, { body: { address: 'gone@example.com', channel: 'email' } })
  for (const written of ['gone@example.com', 'GONE@Example.COM', ' Gone <gone@example.com>'])
    await expect(send(written)).rejects.toMatchObject({ status: expect.toBeOneOf([400, 409]) })
  const params = { id: await findDefaultSender(ada) }
  await expect(ada.api(senders.test, { params, body: { to: 'Gone@example.com' } })).rejects.toMatchObject({
    status: 409,
    code: 'suppressed',
  })
  for (let i = 0; i < 10; i++) await send(`friend${i}@example.com`)
  await send('friend0@example.com')
  await expect(send('friend10@example.com')).rejects.toMatchObject({ status: 429 })
  await expect(send('friend10@example.com')).rejects.toMatchObject({ status: 429 })
  await send(ada.email)
  expect((await ada.api(billing.status, {})).usage.emails).toBe(12)
  await ada.api(senders.update, { params, body: { limits: { perDay: 12 } } })
  await expect(send(ada.email)).rejects.toMatchObject({ status: 429 })
  const statuses = await Promise.all(
    Array.from({ length: 12 }, () =>
      send('friend1@example.com').then(
        () => 200,
        (error) => error.status,
      ),
    ),
  )
  expect(statuses).toContain(429)
})
