/**
 * The emails of journeys. Each is a campaign that is frozen without recipients; when contacts get to its step they are queued as its
 * messages, and whatever holds of campaigns holds of it: limits, suppressions, tracking, bounces, its report.
 */
import { createHash } from 'node:crypto'
import { remainingQuota } from '#server/features/billing/index.ts'
import { hasOrigins } from '#server/features/contacts/index.ts'
import { queueLookups, sendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { audienceAmong } from './audience/audience.ts'
import { campaignById } from './campaign-rows.ts'
import type { Launch } from './channels/channel.ts'
import { writeEmailAudience } from './channels/email/audience.ts'
import { buildDraft } from './channels/email/draft.ts'
import { email } from './channels/email/index.ts'
import { checkDraft } from './drafts.ts'
import { tellOrigins } from './origins.ts'
import { reserveCampaign } from './reservations.ts'
import { defaultSenderId } from './senders-store.ts'
import { holdCampaign } from './sending/finish.ts'
import * as rows from './step-emails-store.ts'
import { insertCampaign, renameCampaign } from './store.ts'

/** What a step says of its email. */
interface StepContent {
  name: string
  subject: string
  preheader: string
  templateId: string | null
  senderId: string | null
  fromName: string
  replyTo: string | null
}

/** An email that can be frozen. */
export interface PreparedEmail {
  campaignId: string
  /** A hash of its content: another one means another campaign. */
  contentKey: string
  launch: Launch
}

type Prepared = { kind: 'ready'; email: PreparedEmail } | { kind: 'same' } | { kind: 'faulty'; messages: string[] }

/** Identifies the email step of a journey. */
interface StepKey {
  workspaceId: string
  journeyId: string
  stepId: string
}

/** The present campaign of a step, and the hash of what it was frozen with. */
type Present = { campaignId: string; contentKey: string }

/** Inserts the email of a step as a draft nobody sees, from the default sender where it names none. Throws Refusal 400. */
async function insertDraft(db: Db, { workspaceId, journeyId, stepId }: StepKey, content: StepContent) {
  await checkDraft(db, workspaceId, { ...content, channel: email.id }, email)
  const senderId = content.senderId ?? (await defaultSenderId(db, workspaceId))
  const fields = { ...content, senderId, channel: email.id, journeyId, journeyStep: stepId }
  const row = await campaignById(db, workspaceId, await insertCampaign(db, workspaceId, fields, {}, []))
  if (!row) throw conflict('changed', 'The journey is being changed elsewhere. Try again in a moment.')
  return row
}

/**
 * Sends the email of a step to one address, as a test of a campaign does. Its draft is never committed: nothing of it is seen, and
 * nothing stays where a process dies. Throws Refusal 400, 402, 409 and 429.
 */
export async function testStepEmail(
  services: Services,
  caller: Caller,
  key: StepKey,
  content: StepContent,
  to: string,
) {
  const transaction = await services.db.startTransaction().execute()
  const row = await insertDraft(transaction, key, content).finally(() => transaction.rollback().execute())
  return email.test(services, caller, row, { to, step: 1, own: false })
}

/**
 * Checks and compiles the email of a step as a draft nobody sees: `same` where the campaign the step has was frozen with the same
 * content, `faulty` with what stops it, in sentences.
 */
export async function prepareStepEmail(
  services: Services,
  key: StepKey,
  content: StepContent,
  present: Present | undefined,
): Promise<Prepared> {
  const { db } = services
  const { workspaceId } = key
  let row: Awaited<ReturnType<typeof insertDraft>>
  try {
    row = await insertDraft(db, key, content)
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return { kind: 'faulty', messages: [error.message] }
    throw error
  }
  const contentKey = await hashContent(services, row)
  if (present && contentKey !== undefined && contentKey === present.contentKey) {
    await renameCampaign(db, workspaceId, present.campaignId, content.name)
    return { kind: 'same' }
  }
  const { problems } = await email.check(services, row, true)
  // It has no audience: its recipients come one by one.
  const errors = problems.filter(({ severity, code }) => severity === 'error' && code !== 'no_lists')
  if (errors.length > 0) return { kind: 'faulty', messages: errors.map(({ message }) => message) }
  const launch = await email.plan(services, row)
  if ('fault' in launch) return { kind: 'faulty', messages: [launch.fault] }
  return { kind: 'ready', email: { campaignId: row.id, contentKey: contentKey ?? '', launch } }
}

/** A hash of what would be compiled, and of the sender; undefined: it has none that can send. */
async function hashContent(
  services: Services,
  row: NonNullable<Awaited<ReturnType<typeof campaignById>>>,
): Promise<string | undefined> {
  const account = row.senderId ? await sendingAccount(services, services.db, row.workspaceId, row.senderId) : undefined
  if (!account?.fromEmail) return undefined
  const { feedbackId: _, ...draft } = await buildDraft(services.db, row, account, services.config.publicUrl)
  return createHash('sha256')
    .update(JSON.stringify([row.senderId, draft]))
    .digest('hex')
}

/** Freezes an email, in the transaction that activates its journey. Throws Refusal 409 where another activation took its draft. */
export async function freezeStepEmail(
  db: Db,
  workspaceId: string,
  { campaignId, launch }: PreparedEmail,
): Promise<void> {
  if (!(await rows.freezeStepDraft(db, workspaceId, campaignId, launch)))
    throw conflict('changed', 'The journey is being activated elsewhere. Try again in a moment.')
  await launch.freeze?.(db)
}

/**
 * Queues an email to contacts, each once, in the transaction `db` that takes them further; publish `sending` once it is committed.
 * Who has no address or is barred is skipped as in any campaign. Returns those who have to wait, because the month's limit is used
 * up or the campaign was canceled. Throws Refusal 402 where others used the limit at the same moment.
 */
export async function queueStepEmail(
  services: Pick<Services, 'queue'>,
  db: Db,
  { workspaceId, campaignId }: { workspaceId: string; campaignId: string },
  contactIds: readonly string[],
): Promise<string[]> {
  const state = await holdCampaign(db, { workspaceId, id: campaignId })
  if (state !== 'sent' && state !== 'sending' && state !== 'paused') return [...contactIds]
  const { left } = await remainingQuota(db, workspaceId, email.counts)
  const chosen = contactIds.slice(0, left)
  if (chosen.length > 0) {
    await writeEmailAudience(db, audienceAmong(workspaceId, chosen), campaignId)
    if (await rows.hasQueued(db, workspaceId, campaignId, chosen)) {
      if (await hasOrigins(db, workspaceId)) await tellOrigins(db, workspaceId, campaignId, chosen)
      await reserveCampaign(services, db, workspaceId, campaignId, email.counts)
      await rows.reopen(db, workspaceId, campaignId)
      await queueLookups(services, db, { workspaceId, campaignId })
    }
  }
  return contactIds.slice(left)
}
