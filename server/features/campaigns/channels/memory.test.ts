import { BroadcastChannel } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { testApp } from '#server/testing/app.ts'
import { listWith, untilState } from '#server/testing/campaign.ts'
import { untilPasses } from '#server/testing/until.ts'
import { createCampaign } from '../campaigns.ts'
import { addChannel } from './index.ts'
import { channel, MEMORY, type TextMessage } from './memory.fixture.ts'

test('channel: one that is added as a module drafts, checks, launches, sends and finishes a campaign', async () => {
  const removeChannel = await addChannel(new URL('./memory.fixture.ts', import.meta.url).href)
  const received: TextMessage[] = []
  const listener = new BroadcastChannel(MEMORY)
  listener.onmessage = (event) => received.push((event as { data: TextMessage }).data)
  await using t = await testApp()
  const ada = await t.person()
  const listId = await listWith(t.services, ada, 4)
  // The fourth has no phone, the third wants no messages.
  await sql`update contacts set phone = '+4915112345' || substring(name from 8) where workspace_id = ${ada.workspaceId}
    and name <> 'Person 4'`.execute(t.services.db)
  await ada.api(suppressions.create, { body: { address: '+49151123453', channel: 'whatsapp' } })

  // The contract names no such channel: the draft is made behind the routes, all else goes through them.
  const draft = { name: 'News', channel: channel.id, listIds: [listId] }
  await expect(createCampaign(t.services, ada.workspaceId, { ...draft, spread: true })).rejects.toThrow(
    'is for Gmail campaigns',
  )
  const { id } = await createCampaign(t.services, ada.workspaceId, { ...draft, subject: 'Hello {{ name }}' })
  const params = { id }
  expect(await ada.api(campaigns.check, { params })).toMatchObject({ ok: true, problems: [], recipients: 3 })
  await ada.api(campaigns.send, { params, body: {} })
  const { counts } = await untilState(ada, id, ['sent'])
  expect(counts).toMatchObject({ recipients: 3, sent: 2, suppressed: 1 })
  await untilPasses(async () => expect(received.length).toBe(2))
  expect(received.toSorted((a, b) => a.to.localeCompare(b.to))).toEqual([
    { to: '+49151123451', text: 'Hello Person 1' },
    { to: '+49151123452', text: 'Hello Person 2' },
  ])
  const { items } = await ada.api(campaigns.messages, { params, query: { state: 'sent' } })
  expect(items.map(({ address, response, attempts }) => ({ address, response, attempts }))).toEqual([
    { address: '+49151123451', response: 'Remembered.', attempts: 1 },
    { address: '+49151123452', response: 'Remembered.', attempts: 1 },
  ])
  listener.close()
  removeChannel()
})
