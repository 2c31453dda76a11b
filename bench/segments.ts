/**
 * Counts of segments, and the recipients of a campaign to one, over the API of the product on its embedded database. Nobody
 * else's tool runs beside it: the bar is a time. `--contacts N` (100,000), `--launch` also starts a campaign.
 */
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { report, timeMiddle } from './measure.ts'
import { startWorkspace } from './workspace.ts'

const { values } = parseArgs({
  options: { contacts: { type: 'string', default: '100000' }, launch: { type: 'boolean' } },
})
const COUNT = Number(values.contacts)
/** What a count while somebody types may take, at 100,000 contacts and at a million. */
const BAR_MS = COUNT > 100_000 ? 2_000 : 300

const { db, workspaceId, api, stop } = await startWorkspace()
const { id: listId } = await api(lists.create, { body: { name: 'News' } })
const { id: tagId } = await api(tags.create, { body: { name: 'VIP' } })
await sql`insert into contacts (workspace_id, email, email_key, name, attributes)
  select ${workspaceId}::bigint, 'p' || n || '@example.com', 'p' || n || '@example.com', 'Person ' || n, jsonb_build_object('plan', n % 10)
  from generate_series(1, ${COUNT}::int) n`.execute(db)
await sql`insert into list_members (workspace_id, list_id, contact_id, status)
  select workspace_id, ${listId}::bigint, id, case when id % 50 = 0 then 'unsubscribed' else 'confirmed' end from contacts where id % 2 = 0`.execute(
  db,
)
await sql`insert into contact_tags (workspace_id, tag_id, contact_id)
  select workspace_id, ${tagId}::bigint, id from contacts where id % 5 = 0`.execute(db)
await sql`insert into suppressions (workspace_id, address, address_key, reason)
  select workspace_id, email, email_key, 'hard_bounce' from contacts where id % 100 = 0`.execute(db)

const say = (name: string, ms: number) =>
  report(`${name}, ${COUNT.toLocaleString('en-US')} contacts`, `${Math.round(ms)} ms`, { of: BAR_MS / ms, bar: 1 })

const FILTERS: Record<string, ContactFilter> = {
  'a custom field': { op: 'and', items: [{ field: 'attributes.plan', is: 'atLeast', value: 5 }] },
  'a tag': { op: 'and', items: [{ field: 'tag', is: 'equal', value: tagId }] },
  'a status': { op: 'and', items: [{ field: 'status', is: 'equal', value: 'subscribed' }] },
  'tag or list': {
    op: 'or',
    items: [
      { field: 'tag', is: 'equal', value: tagId },
      { field: 'list', is: 'equal', value: listId },
    ],
  },
}
for (const [name, filter] of Object.entries(FILTERS))
  say(`count of a segment: ${name}`, await timeMiddle(() => api(segments.preview, { body: { filter } })))

const body = { name: 'VIP', filter: FILTERS['a tag'] ?? { op: 'and' as const, items: [] } }
const { id: segmentId } = await api(segments.create, { body })
const choice = { listIds: [listId], segmentIds: [segmentId] }
const { id } = await api(campaigns.create, { body: { name: 'B', subject: 'B', html: '<p>Hi</p>', ...choice } })
say('count of the audience: a list and a segment', await timeMiddle(() => api(campaigns.audience, { params: { id } })))
const excluding = { listIds: [listId], segmentIds: [], excludeSegmentIds: [segmentId] }
await api(campaigns.update, { params: { id }, body: excluding })
say(
  'count of the audience: a list without a segment',
  await timeMiddle(() => api(campaigns.audience, { params: { id } })),
)

if (values.launch) {
  await api(campaigns.update, { params: { id }, body: { listIds: [], segmentIds: [segmentId], excludeSegmentIds: [] } })
  const started = performance.now()
  await api(campaigns.send, { params: { id }, body: {} })
  let recipients = 0
  while (recipients === 0) recipients = (await api(campaigns.get, { params: { id } })).counts.recipients
  const seconds = (performance.now() - started) / 1_000
  report(
    `start of a campaign to a segment, ${recipients.toLocaleString('en-US')} recipients`,
    `${seconds.toFixed(1)} s`,
  )
}
await stop()
