import type { Campaign } from '#contracts/campaigns.ts'
import { createTokens, parseAddress, prepare, SmtpConnectError, splice } from '#server/engine/index.ts'
import { sendingAccount } from '#server/features/senders/index.ts'
import { compileBounded } from '#server/features/templates/index.ts'
import { openedAndClicked } from '#server/features/tracking/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { checkCampaign } from './check.ts'
import { draftOf } from './draft.ts'
import { queueLaunch } from './jobs.ts'
import * as store from './store.ts'

/** A campaign as the outside sees it. */
export function presentCampaign(
  row: store.CampaignRow,
  engaged: { opened: number; clicked: number } = { opened: 0, clicked: 0 },
): Campaign {
  const {
    workspaceId: _,
    queued: _q,
    claimed: _c,
    sent: _s,
    deferred: _d,
    failed: _f,
    bounced: _b,
    suppressed: _u,
    unconfirmed: _n,
    ...rest
  } = row
  return {
    ...rest,
    channel: row.channel as Campaign['channel'],
    state: row.state as Campaign['state'],
    counts: store.countsOf(row),
    ...engaged,
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

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
  return presentCampaign(row, engaged.get(id))
}

/** Refuses ids in a body that are not the workspace's, without telling whether they exist. */
async function checkReferences(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  given: { senderId?: string | null; templateId?: string | null; listIds?: string[] },
) {
  const { db } = services
  const missing = async (field: string, table: 'lists' | 'templates' | 'senders', ids: string[]) => {
    const owned = await store.ownedIds(db, workspaceId, table, ids)
    if (ids.some((id) => !owned.has(id))) throw invalid(field, 'does not name something of yours')
  }
  if (given.senderId) await missing('senderId', 'senders', [given.senderId])
  if (given.templateId) await missing('templateId', 'templates', [given.templateId])
  if (given.listIds) await missing('listIds', 'lists', given.listIds)
}

type NewCampaign = store.CampaignFields & { name: string; listIds?: string[] }

export async function createCampaign(services: Services, workspaceId: string, given: NewCampaign): Promise<Campaign> {
  await checkReferences(services, workspaceId, given)
  const { listIds = [], ...fields } = given
  const id = await services.db.transaction().execute(async (db) => {
    const senderId =
      fields.senderId ??
      (
        await db
          .selectFrom('senders')
          .where('workspaceId', '=', workspaceId)
          .where('isDefault', '=', true)
          .select('id')
          .executeTakeFirst()
      )?.id ??
      null
    return store.insertCampaign(db, workspaceId, { ...fields, senderId }, listIds)
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
  await checkReferences(services, workspaceId, given)
  const { listIds, ...fields } = given
  // The sender of a campaign that rests may be exchanged: that is how one goes on when a mail server is lost.
  if (row.state === 'paused' && fields.senderId && Object.keys(given).length === 1) {
    await services.db
      .updateTable('campaigns')
      .set({ senderId: fields.senderId })
      .where('id', '=', id)
      .where('workspaceId', '=', workspaceId)
      .where('state', '=', 'paused')
      .execute()
    return showCampaign(services, workspaceId, id)
  }
  const changed = await services.db
    .transaction()
    .execute((db) => store.updateDraft(db, workspaceId, id, fields, listIds))
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
  workspaceId: string,
  id: string,
  given: { at?: string; timeZone?: string },
): Promise<Campaign> {
  const row = await findCampaign(services, workspaceId, id)
  if (row.state !== 'draft' && row.state !== 'scheduled') throw conflict('already_started', 'It was started already.')
  const checked = await checkCampaign(services, row)
  if (!checked.ok) {
    const errors = checked.problems.filter((problem) => problem.severity === 'error')
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
    if (moved && !later) await queueLaunch(services, db, workspaceId, id)
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

/** Sends one real message to one address, marked as a test. It counts nowhere. */
export async function testCampaign(
  services: Services,
  caller: Caller,
  id: string,
  to: string,
): Promise<{ ok: boolean; message: string; response: string }> {
  const row = await findCampaign(services, caller.workspaceId, id)
  const address = parseAddress(to)
  if (!address) throw invalid('to', 'is not an e-mail address')
  const account = row.senderId
    ? await sendingAccount(services, services.db, caller.workspaceId, row.senderId)
    : undefined
  if (!account) throw conflict('no_sender', 'It has no sender that can send.')
  const suppressed = await services.db
    .selectFrom('suppressions')
    .where('workspaceId', '=', caller.workspaceId)
    .where('channel', '=', 'email')
    .where('addressKey', '=', to.trim().toLowerCase())
    .select('reason')
    .executeTakeFirst()
  if (suppressed)
    throw conflict('suppressed', `Nobody writes to ${to}: it is suppressed (${suppressed.reason.replace('_', ' ')}).`)
  const draft = await draftOf(services.db, row, account, services.config.publicUrl, { test: true })
  if (!draft.html && !draft.mjml) throw conflict('not_ready', 'It has no content. Choose a template or write it.')
  const plan = await compileBounded(draft).catch((error) => {
    throw conflict('not_ready', (error as Error).message)
  })
  const tokens = createTokens(deriveKey(services.config.secretKey, 'message tokens'))
  const message = splice(prepare(plan, tokens), {
    id: '0',
    email: address.address,
    name: 'Robin Example',
    attributes: {},
  })
  try {
    const connection = await account.connect()
    const result = await connection.send({
      from: message.from,
      to: message.to,
      data: message.data,
      needsSmtpUtf8: message.needsSmtpUtf8,
    })
    await connection.quit()
    const ok = result.kind === 'sent'
    return {
      ok,
      message: ok ? `Sent to ${to}.` : `The mail server did not take it: ${result.response}`,
      response: result.response,
    }
  } catch (error) {
    if (error instanceof SmtpConnectError) return { ok: false, message: error.problem.text, response: error.message }
    throw error
  }
}
