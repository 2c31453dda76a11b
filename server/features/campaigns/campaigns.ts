import { isPaid } from '#contracts/billing/plans.ts'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { isTimeZone } from '#contracts/time-zone.ts'
import { warmRenderer } from '#server/features/templates/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound, planRequired, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { type CampaignRow, campaignById } from './campaign-rows.ts'
import type { CampaignDraft, Channel } from './channels/channel.ts'
import { requireChannel } from './channels/index.ts'
import { checkCampaign } from './check.ts'
import { checkDraft, toFields } from './drafts.ts'
import { queueLaunch } from './jobs.ts'
import { presentCampaigns } from './present.ts'
import { reserveCampaign } from './reservations.ts'
import * as through from './senders-store.ts'
import { holdCampaign } from './sending/finish.ts'
import * as store from './store.ts'

/** The row of a campaign. Throws Refusal 404. */
export async function findCampaign(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  id: string,
): Promise<CampaignRow> {
  const row = await campaignById(services.db, workspaceId, id)
  if (!row) throw notFound('Campaign')
  return row
}

/** The campaign with its counts and engagement. Throws Refusal 404. */
export async function showCampaign(services: Pick<Services, 'db'>, workspaceId: string, id: string): Promise<Campaign> {
  const row = await findCampaign(services, workspaceId, id)
  const [campaign] = await presentCampaigns(services.db, workspaceId, [row], true)
  if (!campaign) throw notFound('Campaign')
  return campaign
}

const isSample = () => conflict('sample_campaign', 'This is a sample campaign. It cannot be changed and is never sent.')

const isOfJourney = () =>
  conflict('journey_email', 'This is an email of a journey. Pause or archive the journey instead.')

/** Makes a draft. Throws Refusal 400. */
export async function createCampaign(services: Services, workspaceId: string, draft: CampaignDraft): Promise<Campaign> {
  const channel = requireChannel(draft.channel)
  await checkDraft(services.db, workspaceId, draft, channel)
  const { fields, senderIds = [] } = toFields(draft, channel)
  const id = await services.db.transaction().execute(async (db) => {
    const senderId = fields.senderId ?? (await defaultSenderId(db, workspaceId, channel))
    return store.insertCampaign(db, workspaceId, { ...fields, name: draft.name, senderId }, draft, senderIds)
  })
  noteDraft(services, channel, id)
  return showCampaign(services, workspaceId, id)
}

/** Changes a draft, the sender of a paused campaign, or the name of any. Throws Refusal 400, 404 or 409. */
export async function changeCampaign(
  services: Services,
  workspaceId: string,
  id: string,
  change: Partial<CampaignDraft>,
): Promise<Campaign> {
  const row = await findCampaign(services, workspaceId, id)
  const channel = requireChannel(change.channel ?? row.channel)
  await checkDraft(services.db, workspaceId, change, channel)
  // Its name is never sent, so a campaign can be renamed at any time.
  if (change.name !== undefined && Object.keys(change).length === 1 && row.state !== 'draft') {
    if (row.isSample) throw isSample()
    await store.renameCampaign(services.db, workspaceId, id, change.name)
    return showCampaign(services, workspaceId, id)
  }
  const { fields, senderIds } = toFields(change, channel)
  // The sender of a campaign that rests may be exchanged: that is how one goes on when a mail server is lost.
  if (row.state === 'paused' && Object.keys(change).length === 1 && (change.senderId || change.senderIds?.length)) {
    await services.db.transaction().execute(async (db) => {
      if (!(await through.exchangeSender(db, workspaceId, id, fields.senderId ?? null))) return
      if (senderIds) await through.setSenders(db, workspaceId, id, senderIds)
    })
    return showCampaign(services, workspaceId, id)
  }
  // The senders of one channel are not another's.
  const isOther = channel.id !== row.channel
  // Where a channel has no Reply-To of its own, one chosen for another would be used unseen.
  if (isOther) fields.replyTo ??= null
  // Another channel would track each recipient, although totals only were chosen: it tracks nothing until that is chosen again.
  if (isOther && row.totalsOf !== null && !channel.draft.fields.includes('trackingMode'))
    Object.assign(fields, {
      trackOpens: change.trackOpens ?? false,
      trackClicks: change.trackClicks ?? false,
      trackingMode: 'individual',
    })
  const anew = isOther && change.senderId === undefined && change.senderIds === undefined
  const changed = await services.db.transaction().execute(async (db) => {
    if (anew) fields.senderId = await defaultSenderId(db, workspaceId, channel)
    return store.updateDraft(db, row, fields, change, senderIds ?? (isOther ? [] : undefined))
  })
  if (!changed) {
    // Moved to another channel meanwhile: what was given is checked by the rules of that one.
    if ((await findCampaign(services, workspaceId, id)).channel !== row.channel)
      return changeCampaign(services, workspaceId, id, change)
    throw conflict('not_a_draft', 'Only a draft can be changed. A campaign is frozen once it starts.')
  }
  noteDraft(services, channel, id)
  return showCampaign(services, workspaceId, id)
}

/** Who edits a draft may check and send it soon: what that takes is started. */
function noteDraft({ live }: Services, { isEmail }: Channel, id: string): void {
  live.publish('drafts', id)
  if (isEmail) warmRenderer()
}

async function defaultSenderId(db: Db, workspaceId: string, { draft }: Channel): Promise<string | null> {
  return draft.hasDefaultSender ? through.defaultSenderId(db, workspaceId) : null
}

export async function removeCampaign(services: Services, workspaceId: string, id: string): Promise<void> {
  const { journeyId, state } = await findCampaign(services, workspaceId, id)
  if (journeyId !== null) throw isOfJourney()
  if (!(await store.hideCampaign(services.db, workspaceId, id)))
    throw conflict('running', `The campaign is ${state === 'scheduled' ? 'scheduled' : 'running'}. Cancel it first.`)
}

const MAX_CHECKS = 5

/** Sends now or at a time. Refuses with every error of the check; two clicks at once start it once. */
export async function sendCampaign(
  services: Services,
  caller: Caller,
  id: string,
  given: { at?: string; timeZone?: string },
): Promise<Campaign> {
  // What starts is what was checked: after an edit, or a removal of what it refers to, it is checked again.
  for (let checks = 0; checks < MAX_CHECKS; checks += 1)
    if (await checkAndSend(services, caller, id, given)) return showCampaign(services, caller.workspaceId, id)
  throw conflict('changed', 'The campaign is being changed elsewhere. Nothing was sent. Try again in a moment.')
}

/** Returns whether it was sent; else it was changed while it was being checked. Throws Refusal 400, 402, 404 or 409. */
async function checkAndSend(
  services: Services,
  { workspaceId, plan }: Caller,
  id: string,
  given: { at?: string; timeZone?: string },
): Promise<boolean> {
  const row = await findCampaign(services, workspaceId, id)
  if (row.journeyId !== null) throw isOfJourney()
  if (row.state !== 'draft' && row.state !== 'scheduled')
    throw conflict('already_started', 'The campaign has already started.')
  const channel = requireChannel(row.channel)
  if (channel.isPaid && !isPaid(plan)) throw planRequired()
  const checked = await checkCampaign(services, row, true)
  // What the plan has no room for is refused below, where it is reserved: at another time there may be room.
  const errors = checked.problems.filter(({ severity, code }) => severity === 'error' && code !== 'quota_used_up')
  if (errors.length > 0) {
    throw new Refusal(409, 'not_ready', errors[0]?.message ?? 'The campaign is not ready.', {
      details: errors.map(({ code, message }) => ({ field: code, message })),
    })
  }
  if (given.timeZone && !isTimeZone(given.timeZone))
    throw invalid('timeZone', 'is not a time zone such as Europe/Berlin')
  const at = given.at ? new Date(given.at) : undefined
  const later = at !== undefined && at.getTime() > Date.now()
  const isSent = await services.db.transaction().execute(async (db) => {
    const change = later
      ? { state: 'scheduled' as const, scheduledAt: at, timeZone: given.timeZone ?? null }
      : { state: 'sending' as const, startedAt: new Date(), scheduledAt: null, timeZone: null }
    const moved = await store.moveCampaign(db, workspaceId, id, ['draft', 'scheduled'], change, row.revision)
    if (moved && !later) {
      await reserveCampaign(services, db, workspaceId, id, channel.counts, checked.recipients)
      await queueLaunch(services, db, workspaceId, id)
    }
    return moved
  })
  // The threads that send start while its recipients are written.
  if (isSent && !later) services.live.publish('launching', id)
  return isSent
}

async function move(
  services: Services,
  workspaceId: string,
  id: string,
  from: Parameters<typeof store.moveCampaign>[3],
  change: Parameters<typeof store.moveCampaign>[4],
  refusal: string,
) {
  const row = await findCampaign(services, workspaceId, id)
  if (row.state === change.state) return showCampaign(services, workspaceId, id)
  if (!(await store.moveCampaign(services.db, workspaceId, id, from, change))) throw conflict('wrong_state', refusal)
  services.live.publish('sending', id)
  return showCampaign(services, workspaceId, id)
}

export function pauseCampaign(services: Services, workspaceId: string, id: string) {
  return move(
    services,
    workspaceId,
    id,
    ['sending'],
    { state: 'paused' },
    'The campaign is not sending, so it cannot be paused.',
  )
}

/** Goes on; the breaker's count begins anew, because a person looked. */
export async function resumeCampaign(services: Services, workspaceId: string, id: string) {
  const { channel, state } = await findCampaign(services, workspaceId, id)
  if (state === 'paused') await requireChannel(channel).resume?.(services.db, workspaceId, id)
  return move(
    services,
    workspaceId,
    id,
    ['paused'],
    { state: 'sending', handed: 0, hard: 0, complained: 0 },
    'The campaign is not paused, so it cannot be resumed.',
  )
}

export async function cancelCampaign(services: Services, workspaceId: string, id: string) {
  const row = await findCampaign(services, workspaceId, id)
  if (row.journeyId !== null) throw isOfJourney()
  if (row.state === 'scheduled')
    return move(
      services,
      workspaceId,
      id,
      ['scheduled'],
      { state: 'draft', scheduledAt: null },
      'The campaign has just started. Cancel again to stop it.',
    )
  return move(
    services,
    workspaceId,
    id,
    ['sending', 'paused'],
    { state: 'cancelled', finishedAt: new Date() },
    'The campaign is not running, so it cannot be canceled.',
  )
}

/** Queues failed or unconfirmed recipients again, once, because a person said so. */
export async function retryCampaign(
  services: Services,
  workspaceId: string,
  id: string,
  states: string[],
): Promise<number> {
  const row = await findCampaign(services, workspaceId, id)
  if (!['sent', 'paused', 'sending'].includes(row.state))
    throw conflict('wrong_state', 'There is nothing to retry. The campaign was not sent or was canceled.')
  if (row.isSample) throw isSample()
  const channel = requireChannel(row.channel)
  const queued = await services.db.transaction().execute(async (db) => {
    await holdCampaign(db, { workspaceId, id })
    const queued = await store.requeue(db, workspaceId, id, states, channel.mayRetry)
    if (queued > 0) await reserveCampaign(services, db, workspaceId, id, channel.counts)
    if (queued > 0)
      await store.moveCampaign(db, workspaceId, id, ['sent'], {
        state: 'sending',
        finishedAt: null,
        handed: 0,
        hard: 0,
        complained: 0,
      })
    return queued
  })
  services.live.publish('sending', id)
  return queued
}
