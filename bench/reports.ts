/**
 * The report of a campaign with ten million opens and clicks of a million recipients, and pages of its recipients, over the API of the
 * product on its embedded database. The bars are times. `--recipients N` (1,000,000), `--events N` for each of them (10).
 */
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { rollWorkspace } from '#server/features/tracking/index.ts'
import { peakMemory, report, resetPeak, timeMiddle } from './measure.ts'
import { startWorkspace } from './workspace.ts'

const { values } = parseArgs({
  options: { recipients: { type: 'string', default: '1000000' }, events: { type: 'string', default: '10' } },
})
const [RECIPIENTS, EACH] = [Number(values.recipients), Number(values.events)]
const REPORT_MS = 200
const PAGE_MS = 100
/** Rows of one insert, so that the log stays small. */
const CHUNK = 500_000

const { db, workspaceId, api, stop } = await startWorkspace()
const { id } = await api(campaigns.create, { body: { name: 'Report', subject: 'B', html: '<p>Hi</p>' } })
await sql`update campaigns set state = 'sent', started_at = now() - interval '12 days', audience_at = now() - interval '12 days' where id = ${id}`.execute(
  db,
)
await sql`insert into campaign_links (workspace_id, campaign_id, link, url)
  select ${workspaceId}::bigint, ${id}::bigint, n, 'https://example.com/' || n % 19 from generate_series(0, 19) n`.execute(
  db,
)
await sql`insert into messages (workspace_id, campaign_id, contact_id, address, state, reason, due_at, sent_at)
  select ${workspaceId}::bigint, ${id}::bigint, n, 'r' || n || case when n % 10 < 4 then '@gmail.com' when n % 10 < 6 then '@hotmail.com' else '@d' || n % 5000 || '.example' end,
    case when n % 50 = 0 then 'bounced' else 'sent' end, case when n % 50 = 0 then 'hard' else '' end, null, now() - interval '12 days'
  from generate_series(1, ${RECIPIENTS}::int) n`.execute(db)
const {
  rows: [first],
} = await sql<{ id: string }>`select min(id) as id from messages where campaign_id = ${id}`.execute(db)

// Seven of ten recipients did something again and again, the others once; with no trigger, as an upgrade finds them.
const total = RECIPIENTS * EACH
await db.connection().execute(async (db) => {
  await sql`set session_replication_role = replica`.execute(db)
  for (let from = 0; from < total; from += CHUNK)
    await sql`insert into events (workspace_id, campaign_id, message_id, kind, link, at, network, user_agent, class)
      select ${workspaceId}::bigint, ${id}::bigint, ${first?.id ?? '0'}::bigint + m, case when (m + r) % 4 = 0 then 'click' else 'open' end,
        case when (m + r) % 4 = 0 then ((m * 7 + r) % 20)::int end, now() - ((n * 104729 + r * 7777777) % 1036800) * interval '1 second', '203.0.113.0/24',
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/' || ((m + r / 5) % 2000),
        case when (m + r * 3) % 10 = 0 then 'machine' else 'human' end
      from (select n, n / ${RECIPIENTS}::bigint as r, (n * 7919) % ${RECIPIENTS}::bigint as m
        from generate_series(${from}::bigint, ${Math.min(from + CHUNK, total) - 1}::bigint) n) given`.execute(db)
  await sql`set session_replication_role = origin`.execute(db)
})
await sql`analyze events, messages`.execute(db)
await sql`insert into event_changes (workspace_id, campaign_id, message_ids)
  select ${workspaceId}::bigint, ${id}::bigint, array_agg(n) from generate_series(${first?.id ?? '0'}::bigint, ${first?.id ?? '0'}::bigint + ${RECIPIENTS - 1}::bigint) n
  group by n / 1000`.execute(db)

resetPeak(process.pid)
const before = peakMemory(process.pid)
const began = performance.now()
const rolled = await rollWorkspace(db, workspaceId)
const seconds = (performance.now() - began) / 1000
const count = (n: number) => n.toLocaleString('en-US')
report(
  `figures of ${count(total)} events of ${count(RECIPIENTS)} messages, as after an upgrade`,
  `${seconds.toFixed(0)} s`,
)
report('  messages a second', count(Math.round(rolled / seconds)))
report('  memory of the server before it, and its peak', `${before}, ${peakMemory(process.pid)} MiB`)

async function measure(name: string, barMs: number, run: () => Promise<unknown>): Promise<void> {
  const ms = await timeMiddle(run)
  report(name, `${Math.round(ms)} ms`, { of: barMs / ms, bar: 1 })
}

const params = { id }
await measure('the report', REPORT_MS, () => api(campaigns.stats, { params }))
await measure('the list of campaigns', PAGE_MS, () => api(campaigns.list, { query: {} }))
let round = 0
await measure('the report, right after 2,000 opens', REPORT_MS, async () => {
  round++
  await sql`insert into events (workspace_id, campaign_id, message_id, kind, class, user_agent)
    select ${workspaceId}::bigint, ${id}::bigint, ${first?.id ?? '0'}::bigint + (n * 7919 + ${round}::bigint) % ${RECIPIENTS}::bigint, 'open', 'human', 'A' from generate_series(1::bigint, 2000) n`.execute(
    db,
  )
  await api(campaigns.stats, { params })
})
const FILTERS = ['opened', 'clicked', 'unsubscribed', 'not_opened', 'no_response', 'bounced'] as const
for (const sort of ['added', 'activity'] as const) {
  await measure(`recipients, ${sort}`, PAGE_MS, () => api(campaigns.messages, { params, query: { sort } }))
  for (const event of FILTERS)
    await measure(`recipients, ${sort}: ${event}`, PAGE_MS, () =>
      api(campaigns.messages, { params, query: { sort, event } }),
    )
  let cursor: string | undefined
  for (let page = 0; page < 20; page++)
    cursor =
      (
        await api(campaigns.messages, {
          params,
          query: { sort, event: 'opened', limit: 200, ...(cursor && { cursor }) },
        })
      ).nextCursor ?? undefined
  await measure(`recipients, ${sort}: opened, after 4,000`, PAGE_MS, () =>
    api(campaigns.messages, { params, query: { sort, event: 'opened', ...(cursor && { cursor }) } }),
  )
}
const { links } = await api(campaigns.stats, { params })
const MORE = {
  'clicked one link': { link: links[0]?.link ?? 0 },
  'one state': { state: 'bounced' as const },
  'a search': { q: 'r77777@' },
}
for (const sort of ['added', 'activity'] as const)
  for (const [name, filter] of Object.entries(MORE))
    await measure(`recipients, ${sort}: ${name}`, PAGE_MS, () =>
      api(campaigns.messages, { params, query: { sort, ...filter } }),
    )
await stop()
