import pg from 'pg'
import { expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { startCitus } from '../support/debian-postgres.ts'
import { KEY } from '../support/machines.ts'

const [WORKSPACES, MESSAGES] = [12, 500]

/** Campaigns whose counts are not those of their messages. */
const WRONG = `
  select m.workspace_id from (
    select workspace_id, campaign_id, count(*) filter (where state = 'queued') as queued,
      count(*) filter (where state = 'claimed') as claimed, count(*) filter (where state = 'sent') as sent from messages group by 1, 2
  ) m full join campaign_counts c on c.workspace_id = m.workspace_id and c.campaign_id = m.campaign_id
  where (m.queued, m.claimed, m.sent) is distinct from (c.queued, c.claimed, c.sent)`

test.skipIf(!isLong)(
  'citus: migrations are applied, tables spread, and counts stay exact while shards move',
  async ({ skip }) => {
    const citus = await startCitus(2)
    if (typeof citus === 'string') return skip(citus)
    const [database, other] = [0, 1].map(() => new pg.Client({ connectionString: citus.url })) as [pg.Client, pg.Client]
    await database.connect()
    const ask = async (query: string, given: unknown[] = [], client = database) =>
      (await client.query(query, given)).rows
    try {
      const [first, second] = citus.ports
      await citus.addNode(first)
      const output = await citus.migrate(KEY)
      expect(output).toContain('Applied 0001_platform.sql')
      expect(output).toMatch(/Spread .*\bmessages\b/)
      const again = await citus.migrate(KEY)
      expect(again).toBe('Nothing to apply.\nNothing to spread.\n')
      // On the connection that knows what was set for the database.
      await other.connect()
      const tables = await ask(
        `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.oid not in (select logicalrelid from pg_dist_partition where partmethod = 'h' or repmodel = 't') order by 1`,
      )
      // They belong to the installation.
      expect(tables.map(({ name }) => name)).toEqual(['audit_log'])
      const colocated = await ask(
        `select count(distinct colocationid)::int as n from pg_dist_partition where partmethod = 'h'`,
      )
      expect(colocated).toEqual([{ n: 1 }])

      const campaigns: { workspaceId: string; id: string }[] = []
      for (let i = 0; i < WORKSPACES; i++) {
        const [workspace] = await ask(`insert into workspaces (name) values ('Firm') returning id`, [], other)
        const [campaign] = await ask(
          `insert into campaigns (workspace_id, name, channel) values ($1, 'News', 'email') returning id`,
          [workspace.id],
          other,
        )
        campaigns.push({ workspaceId: workspace.id, id: campaign.id })
      }
      const add = ({ workspaceId, id }: { workspaceId: string; id: string }) =>
        ask(
          `insert into messages (workspace_id, campaign_id, contact_id, address, due_at)
         select $1, $2, n, n || '@example.com', now() from generate_series(1, ${MESSAGES}) n`,
          [workspaceId, id],
          other,
        )
      const move = (
        { workspaceId, id }: { workspaceId: string; id: string },
        from: string,
        to: string,
        below: number,
      ) =>
        ask(
          `update messages set state = $4, due_at = null where workspace_id = $1 and campaign_id = $2 and state = $3 and contact_id <= $5`,
          [workspaceId, id, from, to, below],
          other,
        )
      for (const campaign of campaigns) await add(campaign)
      expect(await ask(WRONG)).toEqual([])
      // A node joins, and takes half of the shards while messages change.
      await citus.addNode(second)
      const moving = ask(`select rebalance_table_shards('messages', shard_transfer_mode => 'force_logical')`)
      for (let below = 50; below <= 400; below += 50)
        for (const campaign of campaigns) {
          await move(campaign, 'queued', 'claimed', below)
          await move(campaign, 'claimed', 'sent', below - 20)
        }
      await moving
      const nodes = await ask(
        `select count(distinct nodeport)::int as n from citus_shards where table_name = 'messages'::regclass`,
      )
      expect(nodes).toEqual([{ n: 2 }])
      expect(await ask(WRONG)).toEqual([])
      expect(await ask('select sum(sent)::int as sent, sum(claimed)::int as claimed from campaign_counts')).toEqual([
        { sent: 380 * WORKSPACES, claimed: 20 * WORKSPACES },
      ])
      // The counts of a campaign go with its last message.
      const [gone] = campaigns
      await ask('delete from messages where workspace_id = $1 and contact_id <= 10', [gone?.workspaceId], other)
      expect(await ask('select from campaign_counts where workspace_id = $1', [gone?.workspaceId])).toHaveLength(1)
      await ask('delete from messages where workspace_id = $1', [gone?.workspaceId], other)
      expect(await ask('select from campaign_counts where workspace_id = $1', [gone?.workspaceId])).toEqual([])
    } finally {
      await Promise.all([database.end(), other.end()])
      await citus.stop()
    }
  },
  600_000,
)
