import type { z } from 'zod'
import type { FollowUp, followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { openedAndClicked } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, notFound, unknownId } from '#server/platform/http/refusal.ts'
import { type CampaignRow, campaignById, toCounts } from '../../campaign-rows.ts'
import * as store from '../../follow-ups-store.ts'
import { ownedIds } from '../../store.ts'
import { readSubject } from '../email/draft.ts'
import { replyTo } from './steps.ts'
import { readReplies, stepFigures } from './sync/replies-store.ts'

type FollowUpItems = z.output<typeof followUps.save.body>['items']

/** The words for why somebody is skipped, of the reasons claims and sweeps note. */
const STOPS: Record<string, keyof FollowUp['stopped']> = {
  replied: 'replied',
  clicked: 'clicked',
  bounced: 'bounced',
  hard_bounce: 'bounced',
  soft_bounce: 'bounced',
  unsubscribe: 'unsubscribed',
  left_list: 'unsubscribed',
  pending: 'unsubscribed',
  complaint: 'unsubscribed',
  manual: 'unsubscribed',
  import: 'unsubscribed',
}

async function find(db: Db, workspaceId: string, id: string): Promise<CampaignRow> {
  const row = await campaignById(db, workspaceId, id)
  if (!row || row.parentId) throw notFound('Campaign')
  return row
}

/** The sequence of a campaign as the outside sees it. Throws Refusal 404. */
export async function listFollowUps(db: Db, workspaceId: string, id: string): Promise<FollowUp[]> {
  const parent = await find(db, workspaceId, id)
  const rows = await store.listFollowUps(db, workspaceId, id)
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const subject = replyTo(await readSubject(db, parent))
  const engaged = await openedAndClicked(db, workspaceId, ids)
  const figures = await stepFigures(db, workspaceId, ids)
  const excluded = await store.countExcluded(db, workspaceId, ids)
  const isRead = ((await readReplies(db, workspaceId, [id])).get(id)?.readable ?? 0) > 0
  return rows.map((row) => {
    const stopped = { replied: 0, clicked: 0, unsubscribed: 0, bounced: 0, other: 0 }
    for (const { campaignId, reason, count } of excluded)
      if (campaignId === row.id) stopped[STOPS[reason] ?? 'other'] += count
    const { replied = 0, nextAt = null } = figures.get(row.id) ?? {}
    return {
      id: row.id,
      step: row.step,
      afterMinutes: row.afterMinutes,
      subject,
      templateId: row.templateId,
      html: row.html,
      stopOnReply: row.stopOnReply,
      stopOnClick: row.stopOnClick,
      counts: toCounts(row),
      stopped,
      nextAt: nextAt?.toISOString() ?? null,
      opened: engaged.get(row.id)?.opened ?? 0,
      clicked: engaged.get(row.id)?.clicked ?? 0,
      replied: isRead ? replied : null,
    }
  })
}

/** Sets the sequence of a Gmail draft. Throws Refusal 400, 404 or 409. */
export async function saveFollowUps(
  db: Db,
  workspaceId: string,
  id: string,
  items: FollowUpItems,
): Promise<FollowUp[]> {
  const parent = await find(db, workspaceId, id)
  if (parent.channel !== 'gmail') throw conflict('wrong_channel', 'Only a Gmail campaign has follow-ups.')
  const templates = items.flatMap(({ templateId }) => templateId ?? [])
  const owned = await ownedIds(db, workspaceId, 'templates', templates)
  const foreign = items.findIndex(({ templateId }) => templateId !== null && !owned.has(templateId))
  if (foreign >= 0) throw unknownId(`items.${foreign}.templateId`)
  await db.transaction().execute(async (db) => {
    if (!(await store.holdDraft(db, workspaceId, id)))
      throw conflict('not_a_draft', 'Only a draft can be changed. A campaign is frozen once it starts.')
    await store.setFollowUps(db, parent, items)
  })
  return listFollowUps(db, workspaceId, id)
}
