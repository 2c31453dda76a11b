import { sql } from 'kysely'
import { meaningOf } from '#server/adapters/whatsapp/codes.ts'
import { whatsAppConnection } from '#server/adapters/whatsapp/connection.ts'
import { openJournal, type Recipient, runSlice, SpliceError } from '#server/engine/index.ts'
import { countryOf, openKeys } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { endClaim } from '../sending/claims.ts'
import { markNow } from '../sending/lease.ts'
import { collectOutcomes } from '../sending/outcomes.ts'
import { paceIsBack, setText, waitForPace } from '../sending/rest.ts'
import { finish, insist, nextDue, type Rest, type RunningCampaign, type Sending } from '../sending/slice.ts'
import { forgetUnsent, type Taken, takeMessages } from './claim.ts'
import { messageFor, type WhatsAppPlan } from './message.ts'
import { gateOf, type NumberRow, numberById, pause, recoverNumber, restNumber } from './number.ts'

/** A slice holds about this many seconds' worth of a number's throughput. */
const SLICE_SECONDS = 5
const SLICE = 500
const SLICE_LIMIT_MS = 240_000
/** Requests under way at once, at most and by the second: an answer takes some tenths of one. */
const LANES = 24
const lanesOf = ({ perSecond }: NumberRow) => Math.max(2, Math.min(LANES, Math.ceil(perSecond * 0.4)))
/** So many messages of a slice refused for what they say, with none that went, and it is not the recipients' fault. */
const ALIKE = 10
const LOOK_AGAIN_MS = 30_000
const LONG_REST_MS = 3_600_000

/** Sends what is due of a WhatsApp campaign, until nothing is or `signal` aborts. Answers when to look again. */
export async function runWhatsApp(
  sending: Sending,
  campaign: RunningCampaign,
  plan: WhatsAppPlan,
  signal: AbortSignal,
): Promise<Rest> {
  while (!signal.aborted) {
    const rest = await sendSlice(sending, campaign, plan, signal)
    if (rest?.text !== undefined) await setText(sending.db, campaign.id, rest.text)
    if (rest) return rest
  }
  return { again: 0 }
}

/** Sends one slice. undefined: there may be more at once. */
async function sendSlice(
  sending: Sending,
  campaign: RunningCampaign,
  plan: WhatsAppPlan,
  signal: AbortSignal,
): Promise<Rest | undefined> {
  const { db } = sending
  const number = await numberById(db, campaign.workspaceId, plan.accountId)
  if (!number) {
    await pause(db, campaign.id, 'Paused: its WhatsApp number was disconnected. Nothing more is sent.')
    return { again: 0 }
  }
  const keys = openKeys(sending.config, number)
  const { whatsapp } = sending
  if (!whatsapp) return { again: LOOK_AGAIN_MS, text: 'Waiting: WhatsApp is not configured on this installation.' }
  if (!keys) {
    await pause(
      db,
      campaign.id,
      `Paused: the token of ${number.displayPhone} cannot be read any more. Enter it again, then resume.`,
    )
    return { again: 0 }
  }
  const resting = (number.restUntil?.getTime() ?? 0) - Date.now()
  if (resting > 0)
    return { again: Math.min(resting, LOOK_AGAIN_MS), ...(resting > LONG_REST_MS && { text: restText(number) }) }
  const wanted = Math.max(1, Math.min(SLICE, Math.ceil(number.perSecond * SLICE_SECONDS)))
  const asked = markNow()
  const taken = await takeMessages(sending, campaign, number, plan, wanted)
  if (taken.room === 0) {
    if ((await nextDue(db, campaign)) === undefined) return finish(db, campaign)
    return { again: LOOK_AGAIN_MS, text: tierText(number) }
  }
  if (!taken.claim) return finish(db, campaign)
  if (taken.claim.messages.length === 0) return undefined
  sending.claims.take(taken.claim.id, asked)
  const connect = async () => whatsAppConnection(whatsapp, keys, number.phoneNumberId)
  // Another token is another pool, so that nothing goes on with the old one.
  const key = `whatsapp:${number.id}:${lanesOf(number)}:${number.tokenEncrypted}`
  return sendClaim(sending, campaign, plan, number, taken, { key, connect }, signal)
}

const restText = ({ displayPhone, restUntil }: NumberRow) =>
  `Waiting: Meta limits ${displayPhone}, because people blocked or reported its messages. It rests until ${restUntil?.toISOString().slice(0, 16).replace('T', ' ')} UTC and goes on by itself; nothing is lost.`

const tierText = ({ displayPhone, dailyLimit }: NumberRow) =>
  `Waiting: the messaging limit of ${displayPhone} is reached, ${dailyLimit?.toLocaleString('en-US')} people in 24 hours over all numbers of its portfolio. It goes on by itself; nothing is lost.`

const OTHER_COUNTRY = 130497

/** Countries Meta says this business may not write to: one refusal in a campaign is enough for all of them. */
async function barredCountries(db: Db, campaignId: string): Promise<Set<string>> {
  const { rows } = await sql<{ country: string }>`select distinct country from whatsapp_messages
    where campaign_id = ${campaignId} and error_code = ${OTHER_COUNTRY} and country is not null`.execute(db)
  return new Set(rows.map(({ country }) => country))
}

/** How a recipient's message is written: as JSON, with the id of its row to find it again by. */
const writer = (plan: WhatsAppPlan, sent: Taken['sent'], barred: Set<string>) => (recipient: Recipient) => {
  const { callback, to } = sent.get(recipient.id) ?? { callback: '', to: { to: recipient.phone ?? '' } }
  const address = 'to' in to ? to.to : to.recipient
  if (barred.has(countryOf(address) ?? '')) throw new SpliceError(meaningOf(OTHER_COUNTRY).text, 'unsupported')
  const { message } = messageFor(plan, {
    name: recipient.name ?? '',
    email: recipient.email,
    phone: recipient.phone ?? null,
    bsuid: 'recipient' in to ? to.recipient : null,
    attributes: recipient.attributes ?? {},
  })
  const body = {
    recipient_type: 'individual',
    ...to,
    ...message,
    biz_opaque_callback_data: callback,
  }
  const data = Buffer.from(JSON.stringify(body))
  return { recipientId: recipient.id, messageId: '', from: '', to: address, needsSmtpUtf8: false, data }
}

async function sendClaim(
  sending: Sending,
  campaign: RunningCampaign,
  plan: WhatsAppPlan,
  number: NumberRow,
  { claim, sent }: Taken,
  { key, connect }: { key: string; connect: () => Promise<ReturnType<typeof whatsAppConnection>> },
  signal: AbortSignal,
): Promise<Rest | undefined> {
  const { db, log } = sending
  if (!claim) return undefined
  try {
    const journal = openJournal(sending.folder, claim.id)
    const outcomes = collectOutcomes(db, campaign, claim, log, sending.stopping)
    const barred = await barredCountries(db, campaign.id)
    const tally = { sent: 0, alike: 0, words: '' }
    const result = await runSlice({
      prepared: writer(plan, sent, barred),
      recipients: claim.messages,
      pool: sending.pools.get(key, { connect, size: lanesOf(number) }),
      journal,
      gate: gateOf(db, number),
      isHeld: () => sending.claims.isHeld(claim.id),
      onOutcome: (id, outcome) => {
        if (outcome.kind === 'sent') tally.sent++
        if (outcome.reason === 'message') {
          tally.alike++
          tally.words = outcome.response
        }
        outcomes.add(id, outcome)
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(SLICE_LIMIT_MS)]),
    }).catch(sending.crash)
    const { handed } = await outcomes.done()
    await insist(sending, async () => {
      await endClaim(db, claim.id, handed < claim.messages.length)
      if (handed < claim.messages.length) await forgetUnsent(db, campaign.id)
    })
    journal.remove()
    // The number is not to blame for what the database did not tell.
    if (result.problem?.kind === 'pace') return await waitForPace(db, campaign.id, result.problem)
    // Who paused it meanwhile has said why.
    if (result.problem && !signal.aborted) {
      log.warn({ number: number.id, campaign: campaign.id, kind: result.problem.kind }, 'a WhatsApp number rests')
      return await restNumber(db, { id: campaign.id, templateId: plan.templateId }, number, result.problem)
    }
    await paceIsBack(db, campaign.id)
    if (tally.sent === 0 && tally.alike >= ALIKE)
      await pause(
        db,
        campaign.id,
        `Paused: Meta refused ${tally.alike} messages in a row for what they say. ${tally.words} Nothing more was sent.`,
      )
    if (tally.sent > 0 && (number.troubles > 0 || number.state !== 'working'))
      await recovered(sending, campaign, number)
    return undefined
  } finally {
    sending.claims.end(claim.id)
  }
}

async function recovered({ db }: Sending, campaign: RunningCampaign, number: NumberRow): Promise<void> {
  await recoverNumber(db, number)
  await setText(db, campaign.id, '')
}
