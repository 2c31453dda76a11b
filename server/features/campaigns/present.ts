import type { Attachment } from '#contracts/campaign-parts.ts'
import type { Campaign } from '#contracts/campaigns.ts'
import { type CampaignRow, countsOf } from './store.ts'
import { contentOf } from './whatsapp/content.ts'

/** Whether replies and bounces of its accounts can be seen; null for channels other than Gmail. */
function readsOf({ channel, senderIds, readable }: CampaignRow): Campaign['reads'] {
  if (channel !== 'gmail') return null
  if (readable === 0) return 'none'
  return readable < senderIds.length ? 'some' : 'all'
}

const FIXED = ['email', 'name', 'phone']

/** What columns are in Liquid, those every contact has first. */
const fieldsOf = (targets: string[]) => [
  ...FIXED.filter((field) => targets.includes(field)),
  ...targets.filter((field) => !FIXED.includes(field)).map(attributePath),
]

/** company -> attributes.company; a name with spaces or dots needs brackets. */
function attributePath(field: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(field) ? `attributes.${field}` : `attributes["${field}"]`
}

function mergeOf(row: CampaignRow): Campaign['merge'] {
  // Lists chosen since are the audience now.
  if (!row.mergeImportId || !row.mergeState || !row.listIds.includes(row.mergeListId ?? '')) return null
  return {
    importId: row.mergeImportId,
    listId: row.mergeListId,
    fileName: row.mergeFileName ?? '',
    state: row.mergeState as NonNullable<Campaign['merge']>['state'],
    total: Number(row.mergeTotal ?? 0),
    bad: Number(row.mergeBad ?? 0),
    people: row.mergePeople,
    fields: fieldsOf(Object.values(row.mergeMapping ?? {}).map(String)),
  }
}

/** A campaign as the outside sees it. */
export function presentCampaign(
  row: CampaignRow,
  engaged: { opened: number; clicked: number } = { opened: 0, clicked: 0 },
  attachments: Attachment[] = [],
  delivery: Campaign['delivery'] = { delivered: 0, read: 0, replied: 0 },
  forecast: Campaign['forecast'] = null,
): Campaign {
  const reads = readsOf(row)
  return {
    id: row.id,
    name: row.name,
    channel: row.channel as Campaign['channel'],
    state: row.state as Campaign['state'],
    stateText: row.stateText,
    senderId: row.senderId,
    senderIds: row.senderIds,
    subject: row.subject,
    templateId: row.templateId,
    html: row.html,
    listIds: row.listIds,
    trackOpens: row.trackOpens,
    trackClicks: row.trackClicks,
    window: row.sendingWindow as Campaign['window'],
    spread: row.spread,
    attachments,
    whatsapp: row.channel === 'whatsapp' ? contentOf(row.whatsapp) : null,
    whatsappTemplate: row.channel === 'whatsapp' ? row.whatsappTemplate : null,
    delivery: row.channel === 'whatsapp' ? delivery : null,
    merge: mergeOf(row),
    parentId: row.parentId,
    step: row.step,
    followUps: row.followUps,
    counts: countsOf(row),
    ...engaged,
    reads,
    replied: reads === null || reads === 'none' ? null : row.replied,
    forecast,
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    timeZone: row.timeZone,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
