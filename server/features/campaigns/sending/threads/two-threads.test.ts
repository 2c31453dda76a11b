import { BroadcastChannel } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { testApp } from '#server/testing/app.ts'
import { listWith, untilState } from '#server/testing/campaign.ts'
import { createCampaign } from '../../campaigns.ts'
import { addChannel } from '../../channels/index.ts'
import { type Carried, channel, LINE } from './told.fixture.ts'

/** Three claims. */
const COUNT = 1_200
/** Connections of the channel in each thread. */
const CONNECTIONS = 2

test.each([
  ['first', 0],
  ['second', 1],
])(
  'sending threads: two share a campaign, and if the %s ends, the other goes on and nobody gets a message twice',
  async (_, victim) => {
    const removeChannel = await addChannel(new URL('./told.fixture.ts', import.meta.url).href)
    const line = new BroadcastChannel(LINE)
    await using t = await testApp({ environment: { SENDING_THREADS: '2' } })
    const ada = await t.person()
    const listId = await listWith(t.services, ada, COUNT)
    await sql`update contacts set phone = '+49151' || (1000000 + substring(name from 8)::int) where workspace_id = ${ada.workspaceId}`.execute(
      t.services.db,
    )
    const { id } = await createCampaign(t.services, ada.workspaceId, {
      ...{ name: 'News', channel: channel.id, listIds: [listId], subject: 'Hello {{ name }}' },
    })

    const copies = new Map<string, number>()
    const carried = new Map<number, number>()
    let ended = 0
    const untaken: string[] = []
    line.onmessage = (event) => {
      const { data } = event as { data: Carried }
      if (!('to' in data) || data.thread === ended) return
      copies.set(data.to, (copies.get(data.to) ?? 0) + 1)
      carried.set(data.thread, (carried.get(data.thread) ?? 0) + 1)
      untaken.push(data.to)
      // The first one waits with its messages until there is a second.
      if (carried.size < 2) return
      const threads = [...carried.keys()].toSorted((a, b) => a - b)
      // Both are amid a claim, and this message of the one that ends has no reply yet.
      if (!ended && data.thread === threads[victim] && threads.every((thread) => (carried.get(thread) ?? 0) > 50)) {
        ended = data.thread
        untaken.pop()
        line.postMessage({ end: ended })
      }
      for (const taken of untaken.splice(0)) line.postMessage({ taken })
    }
    await ada.api(campaigns.send, { params: { id }, body: {} })
    const { counts } = await untilState(ada, id, ['sent'])
    line.close()
    removeChannel()

    expect(ended).toBeGreaterThan(0)
    expect(counts.sent + counts.unconfirmed).toBe(COUNT)
    expect(counts.unconfirmed).toBeGreaterThanOrEqual(1)
    expect(counts.unconfirmed).toBeLessThanOrEqual(CONNECTIONS)
    expect([...copies].filter(([, count]) => count > 1)).toEqual([])
    // Those that the test did not hear of were on their way as their thread ended.
    expect(copies.size).toBeGreaterThanOrEqual(COUNT - CONNECTIONS)
  },
)
