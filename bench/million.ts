/**
 * A workspace of a million contacts: searching them, and starting a campaign to all of them, over the API of the product on its
 * embedded database. The bars are times. `--contacts N` (1,000,000), `--launch`: without the searches.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { watchDatabase } from './database-load.ts'
import { peakMemory, report, resetPeak, timeMiddle } from './measure.ts'
import { startWorkspace } from './workspace.ts'

const { values } = parseArgs({
  options: { contacts: { type: 'string', default: '1000000' }, launch: { type: 'boolean' } },
})
const COUNT = Number(values.contacts)
const SEARCH_MS = 200
const LAUNCH_MS = 30_000
/** How long after the send call a pause is pressed, in the middle of the launch. Paused, nothing is sent. */
const PAUSE_AFTER_MS = 3_000
/** The sending thread starts with the first draft; its memory is not that of a launch. */
const THREAD_MS = 3_000

const { db, workspaceId, api, dataDir, stop } = await startWorkspace()
const { id: listId } = await api(lists.create, { body: { name: 'Everybody' } })
await sql`insert into contacts (workspace_id, email, email_key, name, attributes)
  select ${workspaceId}::bigint, 'p' || n || '@example.com', 'p' || n || '@example.com', 'Person ' || n, '{}'
  from generate_series(1, ${COUNT}::int) n`.execute(db)
await sql`insert into list_members (workspace_id, list_id, contact_id)
  select workspace_id, ${listId}::bigint, id from contacts`.execute(db)
await sql`analyze contacts, list_members`.execute(db)

const size = `${COUNT.toLocaleString('en-US')} contacts`
const QUERIES: Record<string, object> = {
  'the newest': {},
  'a whole address': { q: 'p77777@example.com' },
  'part of a name, many matches': { q: 'person 7' },
  'part of an address, one match': { q: 'p77777@' },
  'no match': { q: 'nobody like this' },
  'by name': { sort: 'name' },
  'a list': { listId },
  'a list and a search': { listId, q: 'p77777@' },
}
for (const [name, query] of Object.entries(values.launch ? {} : QUERIES)) {
  const ms = await timeMiddle(() => api(contacts.list, { query: { limit: 50, ...query } }))
  report(`contacts: ${name}, ${size}`, `${Math.round(ms)} ms`, { of: SEARCH_MS / ms, bar: 1 })
}

const choice = { listIds: [listId], subject: 'B', html: '<p>Hi</p>' }

const { id } = await api(campaigns.create, { body: { name: 'B', ...choice } })
await wait(THREAD_MS)
resetPeak(process.pid)
const before = peakMemory(process.pid)
const load = await watchDatabase(dataDir)
const started = performance.now()
await api(campaigns.send, { params: { id }, body: {} })
const checked = performance.now()
await wait(PAUSE_AFTER_MS)
const pressed = performance.now()
await api(campaigns.pause, { params: { id } })
const paused = performance.now()
let recipients = 0
while (recipients === 0) {
  await wait(200)
  recipients = (await api(campaigns.get, { params: { id } })).counts.recipients
}
const ms = performance.now() - started
const { cpuSeconds, longestMs, memoryMiB } = await load.stop()
report(`start of a campaign, ${recipients.toLocaleString('en-US')} recipients`, `${(ms / 1000).toFixed(1)} s`, {
  of: LAUNCH_MS / ms,
  bar: 1,
})
report('  of it the send call, which checks it', `${((checked - started) / 1000).toFixed(1)} s`)
report('  processor time of PostgreSQL', `${cpuSeconds.toFixed(1)} s`)
report('  longest transaction', `${(longestMs / 1000).toFixed(2)} s`)
report('  a pause pressed meanwhile', `${Math.round(paused - pressed)} ms`)
report('  memory before, and its peak meanwhile', `${before}, ${peakMemory(process.pid)} MiB`)
report('  of PostgreSQL beside shared buffers: before, peak', `${memoryMiB.join(', ')} MiB`)
await stop()
