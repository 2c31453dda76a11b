/**
 * Whom a campaign goes to: contacts of its lists and segments without those of the ones it excludes, as SQL over the contact
 * `c`. Who of them can be reached is the channel's to say.
 */
import { type RawBuilder, sql } from 'kysely'
import { MAX_LOOKUPS } from '#contracts/contacts/conditions.ts'
import {
  type ContactRange,
  compileSegments,
  isContactAmong,
  isWithin,
  withinTime,
} from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { CampaignRow } from '../campaign-rows.ts'
import { error, type Problem } from '../channels/problem.ts'
import { ownedIds } from '../store.ts'
import type { AudienceChoice } from './choice-store.ts'

export type CampaignAudience = AudienceChoice & Pick<CampaignRow, 'workspaceId'>

/** A compiled audience. */
export interface Audience {
  workspaceId: string
  /**
   * A table of the contacts it goes to, each once, excluded ones too: the columns of contacts, and `by_segment`, which is
   * true where no list brings them. To be named `c`.
   */
  found: RawBuilder<unknown>
  /** Whether the contact `c` is excluded; undefined: it excludes nobody. */
  excluded: RawBuilder<boolean> | undefined
  /** Its size is decided by filters: reading it has to be bounded in time. */
  hasSegments: boolean
  /** Where its people are, in words: "on these lists". */
  where: string
  /** The lists it goes to. */
  listIds: string[]
  /** The contacts it is limited to; undefined: all of the workspace. */
  within: ContactRange | undefined
  /** The same audience among the contacts of a range. It costs what the range does. */
  among(range: ContactRange): Audience
}

type AudienceProblem = Problem<
  'no_lists' | 'audience_deleted' | 'segment_incomplete' | 'segments_complex' | 'segments_slow'
>

/** Why an audience with segments was given up. */
export const SLOW =
  'Its segments take too long to find their contacts. Use fewer conditions in them, or fewer segments at once.'

/**
 * The audience, or why it cannot be told. What was deleted is never skipped: without an exclusion a campaign would reach
 * people it must not reach.
 */
export async function compileAudience(
  db: Db,
  of: CampaignAudience,
): Promise<{ audience: Audience; problems: [] } | { audience: undefined; problems: AudienceProblem[] }> {
  const { workspaceId, listIds, segmentIds, excludeListIds, excludeSegmentIds } = of
  const refused = (...problems: AudienceProblem[]) => ({ audience: undefined, problems })
  if (listIds.length + segmentIds.length === 0)
    return refused(error('no_lists', 'Choose at least one list or segment.'))
  const compiled = await compileSegments(db, workspaceId, [...new Set([...segmentIds, ...excludeSegmentIds])])
  const segments = new Map(compiled.map((segment) => [segment.id, segment]))
  const lists = await ownedIds(db, workspaceId, 'lists', excludeListIds)
  const problems: AudienceProblem[] = []
  const deleted = (what: string, use: string) =>
    problems.push(
      error('audience_deleted', `A ${what} that this campaign ${use} was deleted. Remove it from the recipients.`),
    )
  if (segmentIds.some((id) => !segments.has(id))) deleted('segment', 'is sent to')
  if (excludeSegmentIds.some((id) => !segments.has(id))) deleted('segment', 'excludes')
  if (excludeListIds.some((id) => !lists.has(id))) deleted('list', 'excludes')
  for (const { name, isIncomplete } of compiled)
    if (isIncomplete)
      problems.push(
        error(
          'segment_incomplete',
          `The segment “${name}” has a condition on a list, tag, campaign or field that was deleted, so no one is in it. Edit the segment, or remove it from the recipients.`,
        ),
      )
  const lookups = compiled.reduce((sum, segment) => sum + segment.lookups, 0)
  if (lookups > MAX_LOOKUPS)
    problems.push(
      error(
        'segments_complex',
        `The segments of this campaign have ${lookups} conditions on lists, tags, statuses and activity together. At most ${MAX_LOOKUPS} can be used at once.`,
      ),
    )
  if (problems.length > 0) return refused(...problems)
  const among = (within: ContactRange | undefined): Audience => {
    const conditions = (ids: string[]) => ids.flatMap((id) => segments.get(id)?.condition(within) ?? [])
    const scope = { workspaceId, within }
    return {
      ...{ ...scope, listIds, among },
      found: findContacts(scope, listIds, conditions(segmentIds)),
      excluded: findExcluded(scope, excludeListIds, conditions(excludeSegmentIds)),
      hasSegments: compiled.length > 0,
      where: segmentIds.length > 0 ? 'in these lists and segments' : 'on these lists',
    }
  }
  return { audience: among(undefined), problems: [] }
}

/** The audience of these contacts, whatever their lists: barred are those who left all, or confirmed none. */
export function audienceAmong(workspaceId: string, contactIds: readonly string[]): Audience {
  const within: ContactRange = { after: '0', until: '0', extra: [...contactIds] }
  const audience: Audience = {
    ...{ workspaceId, within, listIds: [], excluded: undefined, hasSegments: false, where: 'in this journey' },
    found: sql`(select c.*, true as by_segment from contacts c
      where c.workspace_id = ${workspaceId} and c.id = any(${contactIds}::bigint[]))`,
    among: () => audience,
  }
  return audience
}

const joinByOr = (conditions: RawBuilder<boolean>[]) =>
  sql<boolean>`(${sql.join(
    conditions.map((condition) => sql`(${condition})`),
    sql` or `,
  )})`

type Scope = Pick<Audience, 'workspaceId' | 'within'>

/** Members of lists are found by an index. As soon as there is a segment all contacts are walked over, once. */
function findContacts(
  { workspaceId, within }: Scope,
  listIds: string[],
  segments: RawBuilder<boolean>[],
): RawBuilder<unknown> {
  const isInRange = isWithin(sql.ref('c.id'), within)
  const members = sql`select contact_id from list_members
    where workspace_id = ${workspaceId} and list_id = any(${listIds}::bigint[]) and status = 'confirmed'`
  if (segments.length === 0)
    return sql`(select c.*, false as by_segment from contacts c where c.workspace_id = ${workspaceId} and ${isInRange}
      and c.id in (select contact_id from (${members}) m where ${isWithin(sql.ref('contact_id'), within)}))`
  const bySegment = listIds.length === 0 ? sql`true` : sql`not ${isContactAmong(members, within)}`
  // `offset 0`: or else the planner asks for the lists twice, and holds them in memory twice.
  return sql`(select c.* from (select c.*, ${bySegment} as by_segment from contacts c where c.workspace_id = ${workspaceId} and ${isInRange} offset 0) c
    where not c.by_segment or ${joinByOr(segments)})`
}

function findExcluded(
  { workspaceId, within }: Scope,
  listIds: string[],
  segments: RawBuilder<boolean>[],
): RawBuilder<boolean> | undefined {
  const members = sql`select contact_id from list_members
    where workspace_id = ${workspaceId} and list_id = any(${listIds}::bigint[]) and status <> 'unsubscribed'`
  const conditions = listIds.length === 0 ? segments : [isContactAmong(members, within), ...segments]
  return conditions.length === 0 ? undefined : joinByOr(conditions)
}

/** Reads of an audience, in its turn and bounded in time where it has segments; or why it cannot be told. Throws Refusal 429. */
export async function readAudience<T>(
  db: Db,
  of: CampaignAudience,
  read: (db: Db, audience: Audience) => Promise<T>,
): Promise<{ found: T | undefined; problems: AudienceProblem[] }> {
  const { audience, problems } = await compileAudience(db, of)
  if (!audience) return { found: undefined, problems }
  if (!audience.hasSegments) return { found: await read(db, audience), problems }
  try {
    const bounds = { workspaceId: of.workspaceId, field: 'segmentIds' }
    return { found: await withinTime(db, bounds, (db) => read(db, audience)), problems }
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.status === 400)
      return { found: undefined, problems: [error('segments_slow', SLOW)] }
    throw refusal
  }
}
