/** A channel that is no product: text messages to phone numbers that go to a listener in this process. */
import { BroadcastChannel } from 'node:worker_threads'
import { sql } from 'kysely'
import { openGate, type SendRequest, type SmtpConnection } from '#server/engine/index.ts'
import { type Claim, claimMessages, type Reach } from '../sending/claims.ts'
import { dispatch, SLICE } from '../sending/dispatch.ts'
import { finish } from '../sending/finish.ts'
import { type Settle, writeRows } from '../sending/settle.ts'
import type { Channel } from './channel.ts'
import { error } from './problem.ts'

/** What one of its messages is. */
export interface TextMessage {
  to: string
  text: string
}

/** The name its messages are broadcast under, from the sending thread too. */
export const MEMORY = 'memory channel'

const members = (campaign: { id: string; workspaceId: string }) => sql`
  from contacts c where c.workspace_id = ${campaign.workspaceId} and c.phone is not null and c.id in (
    select m.contact_id from list_members m join campaign_lists l on l.list_id = m.list_id
    where l.workspace_id = ${campaign.workspaceId} and l.campaign_id = ${campaign.id} and m.workspace_id = ${campaign.workspaceId} and m.status = 'confirmed')`

const reach: Reach = { address: sql`c.phone`, keys: sql`c.phone`, suppressed: 'whatsapp' }

const listeners = new BroadcastChannel(MEMORY)
listeners.unref()

function connection(carry: (message: TextMessage) => Promise<void> | void): SmtpConnection {
  let carried = 0
  return {
    opened: false,
    usable: true,
    get carried() {
      return carried
    },
    async send({ data, beforeData, onBeforeFinalDot }: SendRequest) {
      await beforeData?.()
      await onBeforeFinalDot?.()
      carried++
      await carry(JSON.parse(data.toString()))
      return { kind: 'sent', code: 200, enhanced: null, response: 'Remembered.' }
    },
    quit: async () => undefined,
    destroy: () => undefined,
  }
}

const settle: Settle = (db, campaign, claimId, settled) =>
  writeRows(
    db,
    campaign,
    claimId,
    settled.map(({ id, outcome: { kind, at, response } }) => ({
      ...{ id, state: kind, at, response, reason: '', dueAt: null },
      sentAt: kind === 'sent' || kind === 'unconfirmed' ? at : null,
    })),
  )

/** The channel, whose messages are carried like this. */
export const carriedBy = (carry: (message: TextMessage) => Promise<void> | void): Channel => ({
  id: 'memory',
  campaigns: 'campaigns in memory',
  isPaid: false,
  counts: 'emails',
  draft: { fields: [], hasDefaultSender: false, refuseSender: () => 'is for email' },
  async check({ db }, campaign) {
    const { rows } = await sql<{ people: number }>`select count(*)::int as people ${members(campaign)}`.execute(db)
    const problems = campaign.subject === '' ? [error('no_content', 'It has no text. Write one.')] : []
    return { problems, recipients: rows[0]?.people ?? 0, excluded: [] }
  },
  countAudience: async () => ({ recipients: 0, excluded: [], exampleId: null, problems: [] }),
  test: async (_services, _caller, { subject }, { to }) => ({ ok: true, message: `Sent to ${to}.`, response: subject }),
  plan: async (_services, campaign) => ({
    plan: { text: campaign.subject },
    tellsOrigins: false,
    async writeAudience(db, { found }) {
      await sql`insert into messages (workspace_id, campaign_id, contact_id, address, due_at)
        select c.workspace_id, ${campaign.id}, c.id, c.phone, now() from ${found} c where c.phone is not null
        on conflict (workspace_id, campaign_id, contact_id) do nothing`.execute(db)
    },
  }),
  async run(sending, campaign, { plan }, signal) {
    const { text } = plan as { text: string }
    const claim = (): Promise<Claim | undefined> => claimMessages(sending, campaign, { reach, limit: SLICE })
    const done = await dispatch(
      sending,
      {
        campaign,
        claim,
        open: () => ({
          prepared: ({ id, name, phone }) => {
            const message: TextMessage = { to: phone ?? '', text: text.replace('{{ name }}', name ?? '') }
            const data = Buffer.from(JSON.stringify(message))
            return { recipientId: id, messageId: '', from: '', to: message.to, needsSmtpUtf8: false, data }
          },
          pool: sending.pools.get(MEMORY, { connect: async () => connection(carry), size: 2 }),
          gate: openGate,
        }),
        settle,
        close: async () => undefined,
      },
      signal,
    )
    return done ? { again: 0 } : finish(sending.db, campaign)
  },
  settle,
  // The contract names no such channel: on the wire its campaigns look like those of emails.
  present: async (_db, _workspaceId, rows) => new Map(rows.map(({ id }) => [id, { channel: 'email' }])),
})

export const channel = carriedBy((message) => listeners.postMessage(message))
