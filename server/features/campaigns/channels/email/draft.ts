import type { Draft } from '#server/engine/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import { isMjml } from '#server/features/templates/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CampaignRow, readTracking } from '../../campaign-rows.ts'
import { replyTo } from '../gmail/steps.ts'

/** What the campaign says now: its own text, or else its template's. */
async function readSource(
  db: Db,
  campaign: CampaignRow,
): Promise<{ subject: string; html: string; mjml: string; text: string }> {
  const template =
    campaign.templateId === null
      ? undefined
      : await db
          .selectFrom('templates')
          .where('workspaceId', '=', campaign.workspaceId)
          .where('id', '=', campaign.templateId)
          .select(['subject', 'html', 'mjml', 'text'])
          .executeTakeFirst()
  const subject = campaign.subject || template?.subject || ''
  if (campaign.html.trim() !== '') {
    return isMjml(campaign.html)
      ? { subject, html: '', mjml: campaign.html, text: '' }
      : { subject, html: campaign.html, mjml: '', text: '' }
  }
  return { subject, html: template?.html ?? '', mjml: template?.mjml ?? '', text: template?.text ?? '' }
}

/** The subject of a campaign as it is written now, Liquid and all. */
export const readSubject = async (db: Db, campaign: CampaignRow): Promise<string> =>
  (await readSource(db, campaign)).subject

/** A follow-up with what it has of its campaign: the account, the recipients, the tracking, and the subject of the thread. */
export const asSent = async (db: Db, parent: CampaignRow, row: CampaignRow): Promise<CampaignRow> => ({
  ...row,
  subject: replyTo(await readSubject(db, parent)),
  fromName: parent.fromName,
  senderId: parent.senderId,
  listIds: parent.listIds,
  segmentIds: parent.segmentIds,
  excludeListIds: parent.excludeListIds,
  excludeSegmentIds: parent.excludeSegmentIds,
  trackOpens: parent.trackOpens,
  trackClicks: parent.trackClicks,
  totalsOf: parent.totalsOf,
})

/** What stands before the subject of a test: that it is one, and of a follow-up which. */
const testMark = ({ step }: CampaignRow) => (step > 1 ? `[Test] Follow-up ${step - 1}: ` : '[Test] ')

/**
 * The draft the engine compiles. `test`: without tracking, so that trying it counts nowhere; `tellsOrigins`: with a place to
 * say where collected addresses were found.
 */
export async function buildDraft(
  db: Db,
  campaign: CampaignRow,
  account: SendingAccount,
  publicUrl: string,
  { test = false, tellsOrigins = false }: { test?: boolean; tellsOrigins?: boolean } = {},
): Promise<Draft> {
  const source = await readSource(db, campaign)
  const workspace = await db
    .selectFrom('workspaces')
    .where('id', '=', campaign.workspaceId)
    .select(['company', 'postalAddress'])
    .executeTakeFirst()
  const { trackOpens, trackClicks, trackingMode } = readTracking(campaign)
  return {
    subject: test ? `${testMark(campaign)}${source.subject}` : source.subject,
    html: source.html || null,
    mjml: source.mjml || null,
    text: source.text || null,
    preheader: campaign.preheader || null,
    from: { name: campaign.fromName || account.fromName || null, address: account.fromEmail },
    replyTo: campaign.replyTo ? { address: campaign.replyTo } : null,
    trackOpens: trackOpens && !test,
    trackClicks: trackClicks && !test,
    ...(trackingMode === 'aggregate' && !test && { totalsFor: campaign.id }),
    publicUrl,
    footer: { company: workspace?.company ?? null, postalAddress: workspace?.postalAddress ?? null },
    tellsOrigins,
    listId: `w${campaign.workspaceId}.l${campaign.listIds[0] ?? '0'}`,
    listName: workspace?.company || null,
    feedbackId: `c${campaign.id}:w${campaign.workspaceId}:campaign:postlark`,
  }
}
