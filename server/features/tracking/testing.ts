import { sql } from 'kysely'
import { compile, createTokens } from '#server/engine/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Services } from '#server/services.ts'
import type { Person } from '#server/testing/app.ts'

const HTML = `<!doctype html><html><head><title>News</title></head><body><p>Hello {{ name }}</p>
<p><a href="https://example.com/one">one</a> <a href="https://example.com/two">two</a> <a href="https://example.com/three">three</a>
<a href="https://example.com/four">four</a> <a href="https://example.com/me?email={{ email }}">me</a></p>
<img src="https://example.com/a.png" alt="a"><p><a href="{{ unsubscribe_url }}">Unsubscribe</a> <a href="{{ view_url }}">Browser</a></p></body></html>`

/**
 * For tests: a campaign as sending leaves it (frozen plan, links, messages accepted a while ago), without sending it.
 * Its links lead to example.com/one, two, three, four and me?email=….
 */
export async function sentCampaign(
  services: Services,
  person: Person,
  given: { people?: number; html?: string; sentSecondsAgo?: number | null; trackOpens?: boolean } = {},
) {
  const { db, config } = services
  const { workspaceId } = person
  const { people = 3, sentSecondsAgo = 3_600, trackOpens = true } = given
  const plan = await compile({
    subject: 'News',
    html: given.html ?? HTML,
    from: { name: 'Ada', address: 'ada@sender.example' },
    trackOpens,
    trackClicks: true,
    publicUrl: config.publicUrl,
    footer: { company: 'Lark & Sons', postalAddress: '1 Nest Road' },
    listId: 'w1.l1',
    feedbackId: 'c1:w1:campaign:postlark',
  })
  const list = await db
    .insertInto('lists')
    .values({ workspaceId, name: 'Readers' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const campaign = await db
    .insertInto('campaigns')
    .values({
      workspaceId,
      name: 'News',
      state: 'sent',
      trackOpens,
      plan: JSON.stringify(plan),
      startedAt: new Date(Date.now() - (sentSecondsAgo ?? 0) * 1000),
      audienceAt: new Date(Date.now() - (sentSecondsAgo ?? 0) * 1000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('campaignLists').values({ campaignId: campaign.id, listId: list.id, workspaceId }).execute()
  await db
    .insertInto('campaignLinks')
    .values(plan.links.map(({ index, url }) => ({ workspaceId, campaignId: campaign.id, link: index, url })))
    .execute()
  const { rows } = await sql<{ id: string; contactId: string; address: string }>`
    with added as (
      insert into contacts (workspace_id, email, email_key, name)
      select ${workspaceId}::bigint, format('C%s.r%s@example.com', ${campaign.id}::text, n), format('c%s.r%s@example.com', ${campaign.id}::text, n), 'Person ' || n
      from generate_series(1, ${people}::int) as n order by n returning id, workspace_id, email
    ), members as (insert into list_members (workspace_id, list_id, contact_id) select workspace_id, ${list.id}::bigint, id from added)
    insert into messages (workspace_id, campaign_id, contact_id, address, state, attempts, sent_at)
    select workspace_id, ${campaign.id}::bigint, id, email, ${sentSecondsAgo === null ? 'queued' : 'sent'}, 1, now() - make_interval(secs => ${sentSecondsAgo}::float8)
    from added order by id returning id, contact_id, address`.execute(db)
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  return { id: campaign.id, listId: list.id, messages: rows, links: plan.links, tokens }
}

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
export const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'
export const YAHOO = 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'
