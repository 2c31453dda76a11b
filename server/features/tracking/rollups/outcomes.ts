/** What became of messages as SQL: figures from message_changes (migrations/0055_tracking.sql). */
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { domainColumn } from '#server/features/senders/index.ts'

/** The outcomes of messages that were tried: their state, and why. */
export const OUTCOMES = [
  ...['sent', 'unconfirmed', 'deferred', 'deferred-block', 'bounced', 'bounced-block'],
  ...['failed', 'failed-block', 'failed-address'],
] as const
type Outcome = (typeof OUTCOMES)[number]

/** Messages whose address was refused for good, then or later. */
const REFUSED: Outcome[] = ['bounced', 'bounced-block', 'failed-address']

/** Outcomes that are the same for a report of receivers. */
export const BY_RECEIVER: Record<'accepted' | 'deferred' | 'bounced' | 'blocked', Outcome[]> = {
  accepted: ['sent', 'bounced', 'bounced-block'],
  deferred: ['deferred', 'deferred-block'],
  bounced: ['bounced', 'failed-address'],
  blocked: ['failed-block', 'bounced-block', 'deferred-block'],
}

/** The domain of an email address, as the triggers of messages have it; empty where it is none. */
export const messageDomain = (address: RawBuilder<unknown>) =>
  sql`case when position('@' in ${address}) > 0 then ${domainColumn(address)} else '' end`
/** The outcome of a row of messages, as the triggers have it, where `wasTried`. */
export const messageOutcome = sql`case when state = 'failed' and reason in ('hard', 'soft', 'expired') then 'failed-address'
  when state in ('failed', 'bounced', 'deferred') and reason = 'block' then state || '-block' else state end`
/** Whether a message has an outcome. */
export const wasTried = sql`state in ('sent', 'deferred', 'failed', 'bounced', 'unconfirmed')`

/** The first 64 bits of the MD5 hash of a text, the key of a figure with a name. */
export const hash = (text: RawBuilder<unknown>) => sql`('x' || left(md5(${text}), 16))::bit(64)::bigint`

/** The same of a text that is known here. */
export const toHash = (text: string): string =>
  BigInt.asIntN(64, BigInt(`0x${createHash('md5').update(text).digest('hex').slice(0, 16)}`)).toString()

/** The common table expression `outcomes` (campaign_id, domain, outcome, messages): the sums of these rows of message_changes. */
export const outcomesIn = (changes: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  outcomes as materialized (
    select campaign_id, domain, outcome, sum(n) as messages
    from (${changes}) changes cross join lateral unnest(domains, outcomes, messages) as of (domain, outcome, n)
    group by campaign_id, domain, outcome
  )`

/** The figures as rows of campaign_id, dimension, number, name, total and messages. */
export const outcomeFigures = {
  refused: sql`
    select campaign_id, 'refused', 0, '', 0, sum(messages) from outcomes where outcome = any(${REFUSED}::text[]) group by campaign_id`,
  receivers: sql`
    select campaign_id, 'domain-' || outcome, ${hash(sql`domain`)}, domain, 0, messages from outcomes`,
}
