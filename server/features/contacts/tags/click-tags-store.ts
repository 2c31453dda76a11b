/** Tags by clicks on the links of campaigns, set by set, beside the request that follows a link. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

const addsTags = sql`link_tags <> '[]'`
/** Whether links of any campaign add tags. */
export const isAnyTagging = sql<boolean>`exists (select 1 from campaigns where ${addsTags})`

/** Workspaces with campaigns whose links add tags. */
export async function workspacesWithLinkTags(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select distinct workspace_id as id from campaigns where ${addsTags}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Adds the tags of the next clicks by people, `settleSeconds` after each: until then a click may turn out to be a machine's.
 * A workspace's events are looked at from `overlapSeconds` before the last look, because one with a lower id may be committed
 * later; nothing is passed over that is newer, whatever came after it. Returns how many tags were added.
 */
export async function tagClicked(
  db: Db,
  workspaceId: string,
  { settleSeconds, overlapSeconds, limit }: { settleSeconds: number; overlapSeconds: number; limit: number },
): Promise<number> {
  const { rows } = await sql<{ tags: number; settled: string | null }>`
    with tagging as materialized (
      select c.id, item ->> 'url' as url, tag.id as tag_id
      from campaigns c cross join lateral jsonb_array_elements(c.link_tags) item
      cross join lateral jsonb_array_elements_text(item -> 'tags') given
      join tags tag on tag.workspace_id = c.workspace_id and tag.id = given::bigint
      where c.workspace_id = ${workspaceId} and c.link_tags <> '[]' and c.started_at is not null
    ), seen as materialized (
      select e.id, e.campaign_id, e.message_id, e.link, e.at, e.kind, e.class from events e
      where e.workspace_id = ${workspaceId} and e.id > coalesce(
        (select event_id from tag_click_cursors where workspace_id = ${workspaceId}),
        (select min(e.id) - 1 from events e where e.workspace_id = ${workspaceId} and e.campaign_id in (select id from tagging)))
      order by e.id limit ${limit}
    ), wanted as (
      select distinct on (seen.campaign_id, c.id, tagging.tag_id) seen.campaign_id, c.id as contact_id, tagging.tag_id, tagging.url, seen.at
      from seen
      join campaign_links l on l.workspace_id = ${workspaceId} and l.campaign_id = seen.campaign_id and l.link = seen.link
      join tagging on tagging.id = seen.campaign_id and tagging.url = l.url
      join messages m on m.workspace_id = ${workspaceId} and m.id = seen.message_id and m.state <> 'claimed'
      join contacts c on c.workspace_id = ${workspaceId} and c.id = m.contact_id
      where seen.kind = 'click' and seen.class = 'human' and seen.at <= now() - make_interval(secs => ${settleSeconds})
      order by seen.campaign_id, c.id, tagging.tag_id, seen.at
    ), added as (
      insert into tag_clicks (workspace_id, campaign_id, contact_id, tag_id, url, at)
      select ${workspaceId}::bigint, campaign_id, contact_id, tag_id, url, at from wanted
      on conflict do nothing returning contact_id, tag_id
    ), tagged as (
      insert into contact_tags (workspace_id, tag_id, contact_id)
      select distinct ${workspaceId}::bigint, tag_id, contact_id from added order by 2, 3 on conflict do nothing returning tag_id
    )
    select (select count(*)::int from tagged) as tags,
      coalesce((select min(id) - 1 from seen where abs(extract(epoch from now() - at)) < ${overlapSeconds}), (select max(id) from seen)) as settled`.execute(
    db,
  )
  const { tags = 0, settled = null } = rows[0] ?? {}
  if (settled !== null)
    await sql`insert into tag_click_cursors as c (workspace_id, event_id) values (${workspaceId}, ${settled})
      on conflict (workspace_id) do update set event_id = greatest(c.event_id, excluded.event_id)`.execute(db)
  return tags
}

/** Forgets which clicks added tags to contacts. */
export async function deleteTagClicks(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await db.deleteFrom('tagClicks').where('workspaceId', '=', workspaceId).where('contactId', 'in', contactIds).execute()
}
