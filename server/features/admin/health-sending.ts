import type { HealthLine } from '#contracts/admin/admin.ts'
import { countClaims, findWorkerSilence } from '#server/platform/db/job-counts.ts'
import type { Services } from '#server/services.ts'
import { many } from './health-labels.ts'

/** Looks further apart than this say nothing of now. */
const WINDOW_MS = 60_000

interface SendingLook {
  running: number
  scheduled: number
  resting: number
  gmail: number
  ended: number
  claims: number
  silent: number
  done: number
}

async function lookAt({ pool }: Services): Promise<SendingLook> {
  const { rows } = await pool.query<Record<Exclude<keyof SendingLook, 'claims' | 'silent'>, string>>(
    `select (select count(*) from campaigns where state = 'sending') as running,
       (select count(*) from campaigns where state = 'scheduled') as scheduled,
       (select count(distinct s.id) from senders s join campaigns c on c.workspace_id = s.workspace_id and c.sender_id = s.id
         where s.rest_until > now() and c.state = 'sending') as resting,
       (select count(*) from gmail_accounts) as gmail,
       (select count(*) from gmail_accounts where revoked_at is not null or refresh_until < now()) as ended,
       (select coalesce(sum(sent + failed + bounced + unconfirmed), 0) from campaign_counts n
         where not exists (select 1 from campaigns c where c.is_sample and c.workspace_id = n.workspace_id and c.id = n.campaign_id)) as done`,
  )
  const number = (key: Exclude<keyof SendingLook, 'claims' | 'silent'>) => Number(rows[0]?.[key] ?? 0)
  return {
    running: number('running'),
    scheduled: number('scheduled'),
    resting: number('resting'),
    gmail: number('gmail'),
    ended: number('ended'),
    ...(await countClaims(pool)),
    done: number('done'),
  }
}

function campaignLine(look: SendingLook, perSecond: number | undefined): HealthLine {
  const line = { area: 'sending' as const, name: 'Campaigns', state: 'ok' as const, advice: '' }
  const later = look.scheduled > 0 ? `, ${look.scheduled} scheduled` : ''
  if (look.running === 0) return { ...line, text: `None is sending${later}.` }
  const rate =
    perSecond === undefined
      ? 'rate not known yet'
      : `${perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} messages a second`
  return { ...line, text: `${many(look.running, 'campaign')} sending${later}; ${rate}.` }
}

function threadLine(look: SendingLook, works: boolean | undefined): HealthLine {
  const line = { area: 'sending' as const, name: 'Sending thread' }
  if (look.silent > 0)
    return {
      ...line,
      state: 'warning',
      text: `${many(look.silent, 'slice')} of messages without a sign of life from their worker.`,
      advice:
        'A worker ended while sending. Start it again with the same DATA_DIR: its journal records what was sent. Without it, its messages become unconfirmed after 15 minutes.',
    }
  if (works === undefined)
    return {
      ...line,
      state: 'unknown',
      text: 'No worker has reported yet.',
      advice: 'Start one with ROLE=worker.',
    }
  if (!works)
    return { ...line, state: 'bad', text: 'No worker runs, so nothing is sent.', advice: 'Start one with ROLE=worker.' }
  return {
    ...line,
    state: 'ok',
    text: look.claims > 0 ? `Working on ${many(look.claims, 'slice')}.` : 'Idle.',
    advice: '',
  }
}

function senderLine(look: SendingLook): HealthLine {
  const resting = look.resting > 0
  return {
    area: 'sending',
    name: 'Senders',
    state: resting ? 'warning' : 'ok',
    text: resting
      ? `${many(look.resting, 'sender')} with a running campaign waiting for a mail server.`
      : 'No running campaign waits for a mail server.',
    advice: resting
      ? 'They are retried automatically. If the problem lasts, their owner sees the reason under Senders.'
      : '',
  }
}

/** Gmail accounts whose permission has ended send nothing until their owner connects them again. */
function gmailLine({ gmail, ended }: SendingLook): HealthLine {
  const line = { area: 'sending' as const, name: 'Gmail accounts' }
  if (ended === 0)
    return {
      ...line,
      state: 'ok',
      text: gmail === 0 ? 'None is connected.' : `${many(gmail, 'account')} connected.`,
      advice: '',
    }
  return {
    ...line,
    state: 'warning',
    text: `The permission of ${ended} of ${many(gmail, 'account')} has ended at Google.`,
    advice:
      'Their owners see this under Gmail Sender and can reconnect them there. A client in testing mode ends every seven days.',
  }
}

/** The sending of campaigns. The rate is what was done between this look and the one before. */
export function sendingProbe(services: Services): () => Promise<HealthLine[]> {
  let last: { at: number; done: number } | undefined
  return async () => {
    const look = await lookAt(services)
    const at = performance.now()
    const passed = last ? at - last.at : 0
    const perSecond =
      last && passed > 0 && passed < WINDOW_MS ? Math.max(0, ((look.done - last.done) / passed) * 1_000) : undefined
    last = { at, done: look.done }
    const silence = services.config.role === 'web' ? await findWorkerSilence(services.pool) : 0
    const works = silence === null ? undefined : silence < 300
    return [campaignLine(look, perSecond), threadLine(look, works), senderLine(look), gmailLine(look)]
  }
}
