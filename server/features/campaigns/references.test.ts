import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { lists } from '#contracts/contacts/lists.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'

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
    .where('id', '=', id)
    .select(({ selectFrom }) => [
      'senderId',
      'templateId',
      selectFrom('campaignSenders')
        .whereRef('campaignSenders.campaignId', '=', 'campaigns.id')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('accounts'),
    ])
    .executeTakeFirstOrThrow()

const someoneWaits = async () => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(t.services.db)
  return rows.length > 0
}

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

test('reference: a campaign that is launched while its sender is removed stays with its sender', async () => {
  const senderId = await insertSender()
  const id = await insertCampaign({ state: 'draft', senderId })
  let removal: Promise<unknown> | undefined
  await t.services.db.transaction().execute(async (db) => {
    await db.updateTable('campaigns').set({ state: 'sending' }).where('id', '=', id).execute()
    removal = ada.api(senders.remove, { params: { id: senderId } }).catch((error) => error)
    await until(someoneWaits, 'the removal waits for the campaign')
  })
  expect(await removal).toMatchObject({ status: 409, code: 'sender_in_use' })
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
