import type { SendingWindow, WhatsAppContent } from '#contracts/campaign-parts.ts'
import type { Campaign } from '#contracts/campaigns.ts'
import { isPaid } from '#contracts/plans.ts'
import { reserveCampaign } from '#server/features/billing/index.ts'
import { openedAndClicked } from '#server/features/tracking/index.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound, planRequired, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { attachmentsOf } from './attachments.ts'
import { checkCampaign } from './check.ts'
import { forecastOf } from './forecast.ts'
import { queueLaunch } from './jobs.ts'
import { presentCampaign } from './present.ts'
import * as through from './senders-store.ts'
import * as store from './store.ts'
import { checkContent, deliveryOf } from './whatsapp/content.ts'

export async function findCampaign(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  id: string,
): Promise<store.CampaignRow> {
  const row = await store.campaignById(services.db, workspaceId, id)
  if (!row) throw notFound('Campaign')
  return row
}

/** The campaign with its counts and engagement. */
export async function showCampaign(services: Pick<Services, 'db'>, workspaceId: string, id: string): Promise<Campaign> {
  const row = await findCampaign(services, workspaceId, id)
  const engaged = await openedAndClicked(services.db, workspaceId, [id])
  const attachments = row.channel === 'gmail' ? await attachmentsOf(services.db, id) : []
  const delivery = row.channel === 'whatsapp' ? (await deliveryOf(services.db, workspaceId, [id])).get(id) : undefined
  const forecast = await forecastOf(services.db, row)
  return presentCampaign(row, engaged.get(id), attachments, delivery, forecast)
}

/** Refuses ids in a body that are not the workspace's, without telling whether they exist. */
async function checkReferences(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  given: Partial<Pick<NewCampaign, 'senderId' | 'senderIds' | 'templateId' | 'listIds' | 'whatsapp'>>,
  channel: string,
) {
  const { db } = services
  const missing = async (field: string, table: 'lists' | 'templates', ids: string[]) => {
    const owned = await store.ownedIds(db, workspaceId, table, ids)
    if (ids.some((id) => !owned.has(id))) throw invalid(field, NOT_YOURS)
  }
  await checkSenders(db, workspaceId, 'senderId', given.senderId ? [given.senderId] : [], channel)
  await checkSenders(db, workspaceId, 'senderIds', given.senderIds ?? [], channel)
  if (given.templateId) await missing('templateId', 'templates', [given.templateId])
  if (given.listIds) await missing('listIds', 'lists', given.listIds)
  if (given.whatsapp) await checkContent(db, workspaceId, given.whatsapp)
}

const NOT_YOURS = 'does not name something of yours'

async function checkSenders(db: Services['db'], workspaceId: string, field: string, ids: string[], channel: string) {
  const kinds = await through.senderKinds(db, workspaceId, ids)
  if (ids.some((id) => !kinds.has(id))) throw invalid(field, NOT_YOURS)
  if (channel === 'whatsapp' && ids.length > 0) throw invalid(field, 'is for e-mail: choose a WhatsApp number')
  const isGmail = channel === 'gmail'
  if (ids.some((id) => (kinds.get(id) === 'gmail') !== isGmail))
    throw invalid(field, isGmail ? 'is no Gmail account' : 'is a Gmail account: make it a Gmail campaign')
}

type NewCampaign = Omit<store.CampaignFields, 'sendingWindow' | 'whatsapp'> & {
  name: string
  listIds?: string[]
  senderIds?: string[]
  window?: SendingWindow | null
  whatsapp?: WhatsAppContent
}

/** What of the given fields is kept with the campaign itself, and through which accounts it goes. */
function fieldsOf({ listIds: _, senderIds, window, whatsapp, ...plain }: Partial<NewCampaign>, channel: string) {
  if (window && !isTimeZone(window.timeZone))
    throw invalid('window.timeZone', 'is not a time zone such as Europe/Berlin')
  if (channel !== 'gmail' && (window || senderIds?.length || plain.spread))
    throw invalid(window ? 'window' : senderIds?.length ? 'senderIds' : 'spread', 'is for Gmail campaigns')
  if (channel !== 'whatsapp' && whatsapp) throw invalid('whatsapp', 'is for WhatsApp campaigns')
  const fields: store.CampaignFields = { ...plain, ...(whatsapp && { whatsapp: JSON.stringify(whatsapp) }) }
  if (window !== undefined) fields.sendingWindow = window && JSON.stringify(window)
  if (channel !== 'gmail') return { fields, senderIds: undefined }
  const through = senderIds ?? (plain.senderId === undefined ? undefined : plain.senderId ? [plain.senderId] : [])
  if (through) fields.senderId = through[0] ?? null
  return { fields, senderIds: through }
}

export async function createCampaign(services: Services, workspaceId: string, given: NewCampaign): Promise<Campaign> {
  const channel = given.channel ?? 'email'
  await checkReferences(services, workspaceId, given, channel)
  const { fields, senderIds = [] } = fieldsOf(given, channel)
  const id = await services.db.transaction().execute(async (db) => {
    const senderId = fields.senderId ?? (channel === 'email' ? await through.defaultSenderId(db, workspaceId) : null)
    return store.insertCampaign(
      db,
      workspaceId,
      { ...fields, name: given.name, senderId },
      given.listIds ?? [],
      senderIds,
    )
  })
  return showCampaign(services, workspaceId, id)
}

export async function changeCampaign(
  services: Services,
  workspaceId: string,
  id: string,
  given: Partial<NewCampaign>,
): Promise<Campaign> {
  const row = await findCampaign(services, workspaceId, id)
  const channel = given.channel ?? row.channel
  await checkReferences(services, workspaceId, given, channel)
  const { fields, senderIds } = fieldsOf(given, channel)
  // The sender of a campaign that rests may be exchanged: that is how one goes on when a mail server is lost.
  if (row.state === 'paused' && Object.keys(given).length === 1 && (given.senderId || given.senderIds?.length)) {
    await services.db.transaction().execute(async (db) => {
      if (!(await through.exchangeSender(db, workspaceId, id, fields.senderId ?? null))) return
      if (senderIds) await through.setSenders(db, workspaceId, id, senderIds)
    })
    return showCampaign(services, workspaceId, id)
  }
  // Mail servers and Gmail accounts are not each other's.
  const anew = channel !== row.channel && given.senderId === undefined && given.senderIds === undefined
  const changed = await services.db.transaction().execute(async (db) => {
    if (anew) fields.senderId = channel === 'email' ? await through.defaultSenderId(db, workspaceId) : null
    return store.updateDraft(db, workspaceId, id, fields, given.listIds, anew ? [] : senderIds)
  })
  if (!changed) throw conflict('not_a_draft', 'Only a draft can be changed. What was started is frozen as it was.')
  return showCampaign(services, workspaceId, id)
}

export async function removeCampaign(services: Services, workspaceId: string, id: string): Promise<void> {
  await findCampaign(services, workspaceId, id)
  if (!(await store.hideCampaign(services.db, workspaceId, id)))
    throw conflict('running', 'It is running. Cancel it first.')
}

/** Sends now or at a time. Refuses with every error of the check; two clicks at once start it once. */
export async function sendCampaign(
  services: Services,
  { workspaceId, plan }: Caller,
  id: string,
  given: { at?: string; timeZone?: string },
): Promise<Campaign> {
  const row = await findCampaign(services, workspaceId, id)
  if (row.state !== 'draft' && row.state !== 'scheduled') throw conflict('already_started', 'It was started already.')
  if (row.channel === 'gmail' && !isPaid(plan)) throw planRequired()
  const checked = await checkCampaign(services, row, true)
  // What the plan has no room for is refused below, where it is reserved: at another time there may be room.
  const errors = checked.problems.filter(({ severity, code }) => severity === 'error' && code !== 'quota_used_up')
  if (errors.length > 0) {
    throw new Refusal(409, 'not_ready', errors[0]?.message ?? 'It is not ready.', {
      details: errors.map(({ code, message }) => ({ field: code, message })),
    })
  }
  if (given.timeZone && !isTimeZone(given.timeZone))
    throw invalid('timeZone', 'is not a time zone such as Europe/Berlin')
  const at = given.at ? new Date(given.at) : undefined
  const later = at !== undefined && at.getTime() > Date.now()
  const moved = await services.db.transaction().execute(async (db) => {
    const change = later
      ? { state: 'scheduled' as const, scheduledAt: at, timeZone: given.timeZone ?? null }
      : { state: 'sending' as const, startedAt: new Date(), scheduledAt: null, timeZone: null }
    const moved = await store.moveCampaign(db, workspaceId, id, ['draft', 'scheduled'], change)
    if (moved && !later) {
      await reserveCampaign(services, db, workspaceId, id, checked.recipients)
      await queueLaunch(services, db, workspaceId, id)
    }
    return moved
  })
  if (!moved) throw conflict('already_started', 'It was started already.')
  return showCampaign(services, workspaceId, id)
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
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
    'It is not sending, so there is nothing to pause.',
  )
}

/** Goes on; the breaker's count begins anew, because a person looked. */
export function resumeCampaign(services: Services, workspaceId: string, id: string) {
  return move(
    services,
    workspaceId,
    id,
    ['paused'],
    { state: 'sending', handed: 0, hard: 0 },
    'It is not paused, so there is nothing to resume.',
  )
}

export async function cancelCampaign(services: Services, workspaceId: string, id: string) {
  const row = await findCampaign(services, workspaceId, id)
  if (row.state === 'scheduled')
    return move(
      services,
      workspaceId,
      id,
      ['scheduled'],
      { state: 'draft', scheduledAt: null },
      'It began just now. Cancel again to stop it.',
    )
  return move(
    services,
    workspaceId,
    id,
    ['sending', 'paused'],
    { state: 'cancelled', finishedAt: new Date() },
    'It is not running, so there is nothing to cancel.',
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
    throw conflict('wrong_state', 'There is nothing to try again: it was not sent, or was cancelled.')
  const queued = await services.db.transaction().execute(async (db) => {
    const queued = await store.requeue(db, workspaceId, id, states)
    if (queued > 0) await reserveCampaign(services, db, workspaceId, id)
    if (queued > 0)
      await store.moveCampaign(db, workspaceId, id, ['sent'], {
        state: 'sending',
        finishedAt: null,
        handed: 0,
        hard: 0,
      })
    return queued
  })
  services.live.publish('sending', id)
  return queued
}
