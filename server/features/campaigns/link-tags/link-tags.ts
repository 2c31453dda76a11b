import { sql } from 'kysely'
import type { LinkTags } from '#contracts/campaigns/campaign.ts'
import { requireTags } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CampaignRow } from '../campaign-rows.ts'
import { type Problem, warning } from '../channels/problem.ts'

/** The tags of a campaign's links, over the row `campaigns`, without tags that were deleted since. */
export const linkTagsColumn = (workspaceId: string) =>
  sql<LinkTags[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('url', item ->> 'url', 'tags', known.ids)), '[]')
  from jsonb_array_elements(campaigns.link_tags) item cross join lateral (
    select jsonb_agg(t.id::text order by t.id) as ids from jsonb_array_elements_text(item -> 'tags') given
    join tags t on t.workspace_id = ${workspaceId} and t.id = given::bigint
  ) known where known.ids is not null)`.as('linkTags')

/** Refuses tags the workspace does not have. Throws Refusal 400. */
export async function checkLinkTags(db: Db, workspaceId: string, linkTags: LinkTags[] | undefined): Promise<void> {
  for (const [at, { tags }] of (linkTags ?? []).entries())
    await requireTags(db, workspaceId, `linkTags.${at}.tags`, tags)
}

/** Tags that no click can add: the link is not in the email, or clicks are not tracked. */
export function findLinkTagProblems(
  { linkTags, trackClicks, totalsOf }: CampaignRow,
  links: readonly string[],
): Problem<'link_tags_untracked' | 'link_tag_unused'>[] {
  if (linkTags.length === 0) return []
  if (totalsOf?.includes('clicks'))
    return [warning('link_tags_untracked', 'Only totals are tracked, so clicks on links add no tags.')]
  if (!trackClicks) return [warning('link_tags_untracked', 'Click tracking is off, so clicks on links add no tags.')]
  return linkTags
    .filter(({ url }) => !links.includes(url))
    .map(({ url }) =>
      warning(
        'link_tag_unused',
        `The email has no link to ${url.length > 80 ? `${url.slice(0, 80)}…` : url} any more, so its tags are added to no one.`,
      ),
    )
}
