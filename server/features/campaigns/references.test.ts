import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { activeJourney, manual } from '#server/testing/journey.ts'
import { until, whileChanging } from '#server/testing/until.ts'

let t: TestApp
let ada: Person
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person()
})

const insertSender = async () => {
  const row = {
    workspaceId: ada.workspaceId,
    name: 'Shop',
    host: 'smtp.example.com',
    port: 25,
    fromEmail: 'a@example.com',
  }
  return (await t.services.db.insertInto('senders').values(row).returning('id').executeTakeFirstOrThrow()).id
}

const insertTemplate = async () =>
  (await ada.api(templates.create, { body: { name: 'News', subject: 'News', html: '<p>News</p>' } })).id

async function insertCampaign(of: {
  state: string
  senderId?: string
  templateId?: string
  parentId?: string
  plan?: string
}): Promise<string> {
  const row = { workspaceId: ada.workspaceId, name: 'News', ...of }
  return (await t.services.db.insertInto('campaigns').values(row).returning('id').executeTakeFirstOrThrow()).id
}

const use = (campaignId: string, senderId: string) =>
  t.services.db.insertInto('campaignSenders').values({ workspaceId: ada.workspaceId, campaignId, senderId }).execute()

const stored = (id: string) =>
  t.services.db
    .selectFrom('campaigns')
    .where('workspaceId', '=', ada.workspaceId)
    .where('id', '=', id)
    .select(({ selectFrom }) => [
      'senderId',
      'templateId',
      selectFrom('campaignSenders')
        .where('campaignSenders.workspaceId', '=', ada.workspaceId)
        .whereRef('campaignSenders.campaignId', '=', 'campaigns.id')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('accounts'),
    ])
    .executeTakeFirstOrThrow()

test('reference: drafts and ended campaigns forget a removed sender', async () => {
  const senderId = await insertSender()
  const ids = await Promise.all(
    ['draft', 'sent', 'cancelled', 'failed'].map((state) => insertCampaign({ state, senderId })),
  )
  await use(ids[0] as string, senderId)
  await ada.api(senders.remove, { params: { id: senderId } })
  for (const id of ids) expect(await stored(id)).toMatchObject({ senderId: null, accounts: '0' })
})

test.each(['scheduled', 'sending', 'paused'])(
  'reference: the sender of a %s campaign stays, and so does the rest',
  async (state) => {
    const senderId = await insertSender()
    const draft = await insertCampaign({ state: 'draft', senderId })
    const active = await insertCampaign({ state, senderId })
    await expect(ada.api(senders.remove, { params: { id: senderId } })).rejects.toMatchObject({
      status: 409,
      code: 'sender_in_use',
    })
    for (const id of [draft, active]) expect(await stored(id)).toMatchObject({ senderId })
  },
)

test('reference: a sender that an active campaign uses in turns with others stays', async () => {
  const [first, second] = [await insertSender(), await insertSender()]
  const active = await insertCampaign({ state: 'sending', senderId: first })
  await use(active, first)
  await use(active, second)
  await expect(ada.api(senders.remove, { params: { id: second } })).rejects.toMatchObject({ code: 'sender_in_use' })
  expect(await stored(active)).toMatchObject({ senderId: first, accounts: '2' })
})

test('reference: the refusal to remove a sender names the first campaign or journey that uses it, and how many more', async () => {
  const senderId = await insertSender()
  const { db } = t.services
  const name = (id: string, name: string) => db.updateTable('campaigns').set({ name }).where('id', '=', id).execute()
  const refusal = (message: string) =>
    expect(ada.api(senders.remove, { params: { id: senderId } })).rejects.toMatchObject({
      ...{ status: 409, code: 'sender_in_use' },
      message: expect.stringContaining(message),
    })
  // Neither a draft nor what was sent is in the way.
  for (const state of ['draft', 'sent']) await insertCampaign({ state, senderId })
  const welcome = await activeJourney(ada, manual([{ id: 'leave', kind: 'exit' }]), 'Welcome')
  for (const stepId of ['a', 'b']) {
    const email = await insertCampaign({ state: 'draft', senderId })
    await db.updateTable('campaigns').set({ journeyId: welcome.id }).where('id', '=', email).execute()
    const step = { workspaceId: ada.workspaceId, journeyId: welcome.id, stepId, campaignId: email }
    await db.insertInto('journeySteps').values(step).execute()
  }
  await refusal('The journey “Welcome” uses this sender. Give it another sender, or archive it first.')
  const turns = await insertCampaign({ state: 'paused' })
  await name(turns, 'Turns')
  await use(turns, senderId)
  await refusal('The journey “Welcome” and one more campaign or journey use this sender.')
  await insertCampaign({ state: 'sending', senderId })
  await refusal('The journey “Welcome” and 2 more campaigns or journeys use this sender.')
  await db.updateTable('journeys').set({ state: 'archived' }).where('id', '=', welcome.id).execute()
  await refusal('The campaign “Turns” and one more campaign or journey use this sender.')
})

test('reference: a campaign that is launched while its sender is removed stays with its sender', async () => {
  const senderId = await insertSender()
  const id = await insertCampaign({ state: 'draft', senderId })
  const removal = await whileChanging(
    t.services.db,
    (db) => db.updateTable('campaigns').set({ state: 'sending' }).where('id', '=', id).execute(),
    () => ada.api(senders.remove, { params: { id: senderId } }),
  )
  expect(removal).toMatchObject({ status: 409, code: 'sender_in_use' })
  expect(await stored(id)).toMatchObject({ senderId })
})

test('reference: a started campaign forgets a removed template, and one that is yet to start keeps it', async () => {
  const started = await insertTemplate()
  const id = await insertCampaign({ state: 'sending', templateId: started, plan: '{}' })
  await ada.api(templates.remove, { params: { id: started } })
  expect(await stored(id)).toMatchObject({ templateId: null })

  const awaited = await insertTemplate()
  await insertCampaign({ state: 'scheduled', templateId: awaited })
  await expect(ada.api(templates.remove, { params: { id: awaited } })).rejects.toMatchObject({
    code: 'template_in_use',
  })
})

test('reference: the template of a follow-up stays while its campaign is scheduled', async () => {
  const templateId = await insertTemplate()
  const parentId = await insertCampaign({ state: 'scheduled' })
  const followUp = await insertCampaign({ state: 'draft', templateId, parentId })
  await expect(ada.api(templates.remove, { params: { id: templateId } })).rejects.toMatchObject({
    code: 'template_in_use',
  })
  await t.services.db.updateTable('campaigns').set({ state: 'draft' }).where('id', '=', parentId).execute()
  await ada.api(templates.remove, { params: { id: templateId } })
  expect(await stored(followUp)).toMatchObject({ templateId: null })
})

const html = '<p>Hi <a href="{{unsubscribe_url}}">out</a></p>'

test('reference: a campaign is sent with its template, or not at all while it is removed', async () => {
  const { id: listId } = await ada.api(lists.create, { body: { name: 'Customers' } })
  await ada.api(contacts.create, { body: { email: 'eve@example.com', lists: [listId] } })
  const tries = Array.from({ length: 10 }, async () => {
    const { id: templateId } = await ada.api(templates.create, { body: { name: 'News', subject: 'News', html } })
    const body = { name: 'News', subject: 'News', templateId, listIds: [listId] }
    const { id } = await ada.api(campaigns.create, { body })
    const [sent, removed] = await Promise.allSettled([
      ada.api(campaigns.send, { params: { id }, body: {} }),
      ada.api(templates.remove, { params: { id: templateId } }),
    ])
    if (removed.status === 'rejected') expect(removed.reason).toMatchObject({ code: 'template_in_use' })
    if (sent.status === 'rejected') expect(sent.reason).toMatchObject({ code: 'not_ready' })
    return { id, isSent: sent.status === 'fulfilled' }
  })
  const all = await Promise.all(tries)
  for (const { id, isSent } of all) {
    const ended = async () => {
      const { state } = await ada.api(campaigns.get, { params: { id } })
      return state !== 'sending' && state
    }
    expect(await until(ended, 'the campaign rests')).toBe(isSent ? 'sent' : 'draft')
  }
})

test('reference: a draft that is edited while Send checks it is checked again', async () => {
  const { id: listId } = await ada.api(lists.create, { body: { name: 'Customers' } })
  await ada.api(contacts.create, { body: { email: 'ann@example.com', lists: [listId] } })
  const { id } = await ada.api(campaigns.create, {
    body: { name: 'News', subject: 'News', html, listIds: [listId] },
  })
  const emptied = await whileChanging(
    t.services.db,
    (db) => db.updateTable('campaigns').set({ html: '', updatedAt: sql`now()` }).where('id', '=', id).execute(),
    () => ada.api(campaigns.send, { params: { id }, body: {} }),
  )
  expect(emptied).toMatchObject({ status: 409, code: 'not_ready' })
  expect(await ada.api(campaigns.get, { params: { id } })).toMatchObject({ state: 'draft' })

  await ada.api(campaigns.update, { params: { id }, body: { html } })
  const rewritten = await whileChanging(
    t.services.db,
    (db) => db.updateTable('campaigns').set({ subject: 'New', updatedAt: sql`now()` }).where('id', '=', id).execute(),
    () => ada.api(campaigns.send, { params: { id }, body: {} }),
  )
  expect(rewritten).toMatchObject({ state: 'sending' })
  expect(await t.sink.mailTo('ann@example.com')).toMatchObject({ subject: 'New' })
})

test('reference: the template of a follow-up that is removed while its campaign is launched stays', async () => {
  const templateId = await insertTemplate()
  const { id } = await ada.api(campaigns.create, { body: { name: 'Hello', channel: 'gmail' } })
  const step = { afterMinutes: 60, templateId, html: '', stopOnReply: true, stopOnClick: false }
  await ada.api(followUps.save, { params: { id }, body: { items: [step] } })
  const removal = await whileChanging(
    t.services.db,
    (db) => db.updateTable('campaigns').set({ state: 'sending' }).where('id', '=', id).execute(),
    () => ada.api(templates.remove, { params: { id: templateId } }),
  )
  expect(removal).toMatchObject({ status: 409, code: 'template_in_use' })
  expect((await ada.api(followUps.list, { params: { id } })).items).toMatchObject([{ templateId }])
})

test.each([
  ['sender', senders.remove, insertSender],
  ['template', templates.remove, insertTemplate],
] as const)('reference: of two removals of a %s at once, the second finds nothing', async (_name, endpoint, insert) => {
  const id = await insert()
  const removals = await Promise.allSettled([1, 2, 3].map(() => ada.api(endpoint, { params: { id } })))
  expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const removal of removals)
    if (removal.status === 'rejected') expect(removal.reason).toMatchObject({ status: 404 })
})

test('reference: a draft that chooses a template while it is removed is refused', async () => {
  const templateId = await insertTemplate()
  const { id } = await ada.api(campaigns.create, { body: { name: 'News' } })
  const choice = await whileChanging(
    t.services.db,
    (db) => db.deleteFrom('templates').where('id', '=', templateId).execute(),
    () => ada.api(campaigns.update, { params: { id }, body: { templateId } }),
  )
  expect(choice).toMatchObject({ status: 409, code: 'conflict' })
})

test('reference: a draft that moves to another channel while it is changed is checked by the rules of that one', async () => {
  const { id } = await ada.api(campaigns.create, { body: { name: 'News' } })
  const choice = await whileChanging(
    t.services.db,
    (db) => db.updateTable('campaigns').set({ channel: 'gmail' }).where('id', '=', id).execute(),
    () => ada.api(campaigns.update, { params: { id }, body: { trackingMode: 'aggregate' } }),
  )
  expect(choice).toMatchObject({ status: 400, details: [{ field: 'trackingMode' }] })
  expect(await ada.api(campaigns.get, { params: { id } })).toMatchObject({
    channel: 'gmail',
    trackingMode: 'individual',
  })
})

test('reference: an import forgets a removed list', async () => {
  const { db } = t.services
  const { id: listId } = await ada.api(lists.create, { body: { name: 'News' } })
  const row = {
    workspaceId: ada.workspaceId,
    listId,
    fileName: 'a.csv',
    filePath: 'a.csv',
    mapping: '{}',
    state: 'done',
  }
  const { id } = await db.insertInto('imports').values(row).returning('id').executeTakeFirstOrThrow()
  await ada.api(lists.remove, { params: { id: listId } })
  expect(await db.selectFrom('imports').where('id', '=', id).select('listId').executeTakeFirst()).toEqual({
    listId: null,
  })
})
