import type { Db } from '#server/platform/db/database.ts'
import { invalid, unknownId } from '#server/platform/http/refusal.ts'
import type { CampaignDraft, Channel } from './channels/channel.ts'
import { allChannels } from './channels/index.ts'
import { checkLinkTags } from './link-tags/link-tags.ts'
import * as through from './senders-store.ts'
import { type CampaignFields, type ChannelColumns, ownedIds } from './store.ts'

/**
 * Refuses ids that are not the workspace's, without telling whether they exist, and what only campaigns over another channel
 * have. Throws Refusal 400.
 */
export async function checkDraft(
  db: Db,
  workspaceId: string,
  draft: Partial<CampaignDraft>,
  channel: Channel,
): Promise<void> {
  const checkOwned = async (field: string, table: 'lists' | 'segments' | 'templates', ids: string[]) => {
    const owned = await ownedIds(db, workspaceId, table, ids)
    if (ids.some((id) => !owned.has(id))) throw unknownId(field)
  }
  await checkSenders(db, workspaceId, 'senderId', draft.senderId ? [draft.senderId] : [], channel)
  await checkSenders(db, workspaceId, 'senderIds', draft.senderIds ?? [], channel)
  if (draft.templateId) await checkOwned('templateId', 'templates', [draft.templateId])
  await checkOwned('listIds', 'lists', draft.listIds ?? [])
  await checkOwned('segmentIds', 'segments', draft.segmentIds ?? [])
  await checkOwned('excludeListIds', 'lists', draft.excludeListIds ?? [])
  await checkOwned('excludeSegmentIds', 'segments', draft.excludeSegmentIds ?? [])
  await checkLinkTags(db, workspaceId, draft.linkTags)
  await channel.draft.check?.(db, workspaceId, draft)
  for (const other of allChannels())
    for (const field of other.draft.fields)
      if (!channel.draft.fields.includes(field) && isGiven(draft[field]))
        throw invalid(field, `is for ${other.campaigns}`)
}

// `trackingMode` has a default that every channel takes.
const isGiven = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== 'individual')

async function checkSenders(db: Db, workspaceId: string, field: string, ids: string[], channel: Channel) {
  const kinds = await through.senderKinds(db, workspaceId, ids)
  if (ids.some((id) => !kinds.has(id))) throw unknownId(field)
  for (const kind of kinds.values()) {
    const refusal = channel.draft.refuseSender(kind)
    if (refusal) throw invalid(field, refusal)
  }
}

/** The fields that are columns as they are given, whatever the channel. */
const PLAIN = [
  'name',
  'channel',
  'senderId',
  'subject',
  'preheader',
  'fromName',
  'replyTo',
  'templateId',
  'html',
  'trackOpens',
  'trackClicks',
  'trackingMode',
] as const

/** What of a draft is stored with the campaign itself, and through which accounts it goes where its channel has several. */
export function toFields(
  draft: Partial<CampaignDraft>,
  channel: Channel,
): { fields: CampaignFields & ChannelColumns; senderIds: string[] | undefined } {
  const fields: CampaignFields & ChannelColumns = Object.fromEntries(PLAIN.map((field) => [field, draft[field]]))
  for (const { draft: rules } of allChannels()) Object.assign(fields, rules.columns?.(draft))
  const senderIds = channel.draft.accounts?.(draft)
  if (senderIds) fields.senderId = senderIds[0] ?? null
  return { fields, senderIds }
}
