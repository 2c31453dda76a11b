import { sql } from 'kysely'
import type { WhatsAppApi } from '#server/adapters/whatsapp/api.ts'
import { findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import { whatsAppConnection } from '#server/adapters/whatsapp/connection.ts'
import { type Outcome, type Recipient, type SenderProblem, SpliceError } from '#server/engine/index.ts'
import {
  findCountry,
  forgetUnsent,
  type NumberRow,
  numberById,
  openKeys,
  recoverNumber,
} from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { formatUtcMoment } from '#server/platform/time/utc-moment.ts'
import { dispatch, SLICE } from '../../sending/dispatch.ts'
import { finish, nextDue } from '../../sending/finish.ts'
import type { RunningCampaign, SenderRest, Sending } from '../../sending/sending.ts'
import { paceIsBack, pauseSending, setText, waitForPace } from '../../sending/state-text.ts'
import { type TakenMessages, takeMessages } from './claim.ts'
import { messageFor, type WhatsAppPlan } from './message.ts'
import { findGate, restNumber } from './number.ts'
import { settleWhatsApp } from './settle.ts'

/** A slice holds about this many seconds' worth of a number's throughput. */
const SLICE_SECONDS = 5
/** Requests under way at once, at most and by the second: an answer takes some tenths of one. */
const LANES = 24
const countLanes = ({ perSecond }: NumberRow) => Math.max(2, Math.min(LANES, Math.ceil(perSecond * 0.4)))
/** So many messages of a slice refused for what they say, with none that went, and it is not the recipients' fault. */
const ALIKE = 10
const RECHECK_INTERVAL_MS = 30_000
const LONG_REST_MS = 3_600_000

/** Sends what is due of a WhatsApp campaign, until nothing is or `signal` aborts. Returns when to look again. */
export async function runWhatsApp(
  sending: Sending,
  campaign: RunningCampaign,
  plan: WhatsAppPlan,
  api: WhatsAppApi | undefined,
  signal: AbortSignal,
): Promise<SenderRest> {
  while (!signal.aborted) {
    const rest = await sendSlice(sending, campaign, plan, api, signal)
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
  api: WhatsAppApi | undefined,
  signal: AbortSignal,
): Promise<SenderRest | undefined> {
  const { db } = sending
  const number = await numberById(db, campaign.workspaceId, plan.accountId)
  if (!number) {
    await pauseSending(db, campaign.id, 'Paused: its WhatsApp number was disconnected. Nothing more is sent.')
    return { again: 0 }
  }
  const keys = openKeys(sending.config, number)
  if (!api) return { again: RECHECK_INTERVAL_MS, text: 'Waiting: WhatsApp is not configured on this installation.' }
  if (!keys) {
    await pauseSending(
      db,
      campaign.id,
      `Paused: the token of ${number.displayPhone} can no longer be read. Enter it again, then resume.`,
    )
    return { again: 0 }
  }
  const resting = (number.restUntil?.getTime() ?? 0) - Date.now()
  if (resting > 0)
    return { again: Math.min(resting, RECHECK_INTERVAL_MS), ...(resting > LONG_REST_MS && { text: restText(number) }) }
  const wanted = Math.max(1, Math.min(SLICE, Math.ceil(number.perSecond * SLICE_SECONDS)))
  let taken: TakenMessages = { claim: undefined, sent: new Map(), room: null }
  const tally: Tally = { sent: 0, alike: 0, words: '' }
  const connect = async () => whatsAppConnection(api, keys, number.phoneNumberId)
  const size = countLanes(number)
  const done = await dispatch(
    sending,
    {
      campaign,
      async claim() {
        taken = await takeMessages(sending, campaign, number, plan, wanted)
        return taken.claim
      },
      open: async () => ({
        prepared: writer(plan, taken.sent, await barredCountries(db, campaign.id)),
        // Another token is another pool, so that nothing goes on with the old one.
        pool: sending.pools.get(`whatsapp:${number.id}:${size}:${number.tokenEncrypted}`, { connect, size }),
        gate: findGate(db, number),
        onOutcome: (outcome) => noteOutcome(tally, outcome),
      }),
      settle: settleWhatsApp,
      async close(handed, _, claimed) {
        if (handed < claimed) await forgetUnsent(db, campaign.id)
      },
    },
    signal,
  )
  if (taken.room === 0) {
    if ((await nextDue(db, campaign)) === undefined) return finish(db, campaign)
    return { again: RECHECK_INTERVAL_MS, text: tierText(number) }
  }
  if (!done) return finish(db, campaign)
  if (done.claimed === 0) return undefined
  return afterSlice(sending, campaign, plan, number, { problem: done.problem, tally }, signal)
}

function noteOutcome(tally: Tally, { kind, reason, response }: Outcome): void {
  if (kind === 'sent') tally.sent++
  if (reason !== 'message') return
  tally.alike++
  tally.words = response
}

const restText = ({ displayPhone, restUntil }: NumberRow) =>
  `Waiting: Meta limits ${displayPhone}, because people blocked or reported its messages. It is paused until ${restUntil && formatUtcMoment(restUntil)} and continues automatically. Nothing is lost.`

const tierText = ({ displayPhone, dailyLimit }: NumberRow) =>
  `Waiting: the messaging limit of ${displayPhone} is reached, ${dailyLimit?.toLocaleString('en-US')} people in 24 hours over all numbers of its portfolio. It continues automatically. Nothing is lost.`

const OTHER_COUNTRY = 130497

/** Countries Meta says this business may not write to: one refusal in a campaign is enough for all of them. */
async function barredCountries(db: Db, campaignId: string): Promise<Set<string>> {
  const { rows } = await sql<{ country: string }>`select distinct country from whatsapp_messages
    where campaign_id = ${campaignId} and error_code = ${OTHER_COUNTRY} and country is not null`.execute(db)
  return new Set(rows.map(({ country }) => country))
}

/** How a recipient's message is written: as JSON, with the id of its row to find it again by. */
const writer = (plan: WhatsAppPlan, sent: TakenMessages['sent'], barred: Set<string>) => (recipient: Recipient) => {
  const { callback, to } = sent.get(recipient.id) ?? { callback: '', to: { to: recipient.phone ?? '' } }
  const address = 'to' in to ? to.to : to.recipient
  if (barred.has(findCountry(address) ?? '')) throw new SpliceError(findCodeMeaning(OTHER_COUNTRY).text, 'unsupported')
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

/** What Meta said to the messages of a slice, to tell a template nobody can be sent from recipients who cannot be reached. */
interface Tally {
  sent: number
  alike: number
  words: string
}

async function afterSlice(
  sending: Sending,
  campaign: RunningCampaign,
  plan: WhatsAppPlan,
  number: NumberRow,
  { problem, tally }: { problem: SenderProblem | undefined; tally: Tally },
  signal: AbortSignal,
): Promise<SenderRest | undefined> {
  const { db, log } = sending
  // The number is not to blame for what the database did not tell.
  if (problem?.kind === 'pace') return waitForPace(db, campaign.id, problem)
  // Who paused it meanwhile has said why.
  if (problem && !signal.aborted) {
    log.warn({ number: number.id, campaign: campaign.id, kind: problem.kind }, 'a WhatsApp number rests')
    return restNumber(db, { id: campaign.id, templateId: plan.templateId }, number, problem)
  }
  await paceIsBack(db, campaign.id)
  if (tally.sent === 0 && tally.alike >= ALIKE)
    await pauseSending(
      db,
      campaign.id,
      `Paused: Meta refused ${tally.alike} messages in a row because of their content. ${tally.words} Nothing more was sent.`,
    )
  if (tally.sent > 0 && (number.troubles > 0 || number.state !== 'working')) await recovered(sending, campaign, number)
  return undefined
}

async function recovered({ db }: Sending, campaign: RunningCampaign, number: NumberRow): Promise<void> {
  await recoverNumber(db, number)
  await setText(db, campaign.id, '')
}
