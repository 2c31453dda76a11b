import { LRUCache } from 'lru-cache'
import type { CampaignShare, SharedReport } from '#contracts/campaigns/report/report.ts'
import { campaignStats } from '#server/features/tracking/index.ts'
import { hashToken, randomToken, seal, unseal } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, notFound, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { campaignById } from '../campaign-rows.ts'
import { findCampaign, showCampaign } from '../campaigns.ts'
import { findChannel } from '../channels/index.ts'
import { findEmail } from './email-view.ts'
import * as store from './shares-store.ts'

const MAX_SHARES = 20
const PURPOSE = 'shared report'
const DAY_MS = 86_400_000

function present({ id, createdAt, expiresAt, lastViewedAt }: store.ShareRow): CampaignShare {
  return {
    id,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastViewedAt: lastViewedAt?.toISOString() ?? null,
  }
}

/** The links to a report that work. Throws Refusal 404. */
export async function listShares(services: Services, workspaceId: string, id: string): Promise<CampaignShare[]> {
  await findCampaign(services, workspaceId, id)
  return (await store.listShares(services.db, workspaceId, id)).map(present)
}

/** Makes a link to a report; only this response has it. Throws Refusal 404 or 409. */
export async function shareReport(
  services: Services,
  workspaceId: string,
  id: string,
  expiresInDays: number | null,
): Promise<CampaignShare & { url: string; token: string }> {
  const campaign = await findCampaign(services, workspaceId, id)
  if (campaign.state === 'draft' || campaign.state === 'scheduled')
    throw conflict('not_sent', 'A report can be shared once the campaign has started.')
  const token = seal(services.config.secretKey, PURPOSE, randomToken())
  const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * DAY_MS)
  const share = { workspaceId, campaignId: id, tokenHash: hashToken(token), expiresAt }
  const row = await services.db.transaction().execute((db) => store.insertShare(db, share, MAX_SHARES))
  if (!row) throw conflict('too_many', `A report has at most ${MAX_SHARES} links. Revoke one first.`)
  return {
    ...present(row),
    url: `${services.config.publicUrl}/r/${token}`,
    token,
  }
}

/** Ends a link at once. Throws Refusal 404. */
export async function revokeShare(services: Services, workspaceId: string, id: string, shareId: string) {
  await findCampaign(services, workspaceId, id)
  if (!(await store.revokeShare(services.db, workspaceId, id, shareId))) throw notFound('Share link')
}

const MINUTE_MS = 60_000
/** Reports as they were counted last: a link that is passed around costs as much as one look a minute. */
const counted = new LRUCache<string, SharedReport>({ max: 50, ttl: MINUTE_MS })
const VIEWS = 600
const VIEWS_SECONDS = 600

const gone = () => new Refusal(404, 'not_found', 'This link does not work. It may have been revoked or have expired.')

/** What a link shows: figures, and nobody's address. Throws Refusal 404 or 429. */
export async function showShared(services: Services, token: string): Promise<SharedReport> {
  const { db, config } = services
  // A guess costs no question to the database. Links of before they were signed have no dot, and their hash is the proof.
  if (token.includes('.') && unseal(config.secretKey, PURPOSE, token) === undefined) throw gone()
  const hash = hashToken(token)
  const share = await store.findShare(db, hash)
  if (!share) throw gone()
  const allowed = await throttle(db, `report:${hash}`, VIEWS, VIEWS_SECONDS)
  if (!allowed.ok) throw tooMany('Many people are looking at this report. Try again in a few minutes.', allowed.wait)
  const known = counted.get(share.campaignId)
  if (known && (await isThere(db, share))) return known
  const report = await buildReport(services, share)
  counted.set(share.campaignId, report)
  await store.noteView(db, share)
  return report
}

/** Whether the campaign is not removed. */
const isThere = async (db: Db, { workspaceId, campaignId }: { workspaceId: string; campaignId: string }) =>
  (await campaignById(db, workspaceId, campaignId)) !== undefined

async function buildReport(
  services: Services,
  { workspaceId, campaignId }: { workspaceId: string; campaignId: string },
): Promise<SharedReport> {
  const { db } = services
  const row = await campaignById(db, workspaceId, campaignId)
  if (!row) throw gone()
  const { name, channel, counts, startedAt, trackOpens, trackClicks, trackingMode, delivery } = await showCampaign(
    services,
    workspaceId,
    campaignId,
  )
  const email = (await findEmail(db, row)) ?? null
  return {
    name,
    channel,
    sender: email?.from ?? (await findChannel(channel)?.describeSender?.(db, row)) ?? '',
    startedAt,
    counts,
    trackOpens,
    trackClicks,
    trackingMode,
    // The domains of small companies say who was written to.
    stats: await campaignStats(db, workspaceId, campaignId, { isShared: true }),
    delivery,
    email,
  }
}
