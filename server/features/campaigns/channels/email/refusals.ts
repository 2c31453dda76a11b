/** What follows from refusals that are not about the recipient: of the sender (`block`), and of the email (`content`). */
import { sql } from 'kysely'
import { findAuthenticationFault, findDomain, findOperator } from '#server/engine/index.ts'
import {
  domainColumn,
  isOperator,
  pauseReceiver,
  readReceivers,
  receiverColumn,
} from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sentence } from '../../sending/state-text.ts'

/** Refusals within an hour before a receiver refuses the sender: one recipient may have a filter of their own. */
const MIN_BLOCKED = 3
/** Of an operator with millions of them. */
const MIN_BLOCKED_BY_OPERATOR = 5
const MIN_CONTENT = 3
/** Shares: blocked of what a receiver was just sent, blocked later of the whole campaign, refused for their content of it. */
const [BLOCKED_SHARE, BLOCKED_LATER_SHARE, CONTENT_SHARE] = [0.1, 0.02, 0.05]

/** Receivers whose customers may write what they are refused with, but not the status code of a refusal for lack of authentication. */
const WITH_RULES_OF_CUSTOMERS = new Set(['google', 'microsoft'])

/**
 * Who told of refusals: the mail server in its reply, a service in a signed webhook, or an email that returned. That may be
 * written by the recipient, so a single one stops nothing.
 */
export type Teller = 'reply' | 'webhook' | 'email'

interface Refusal {
  address: string
  reason: string
  state: string
  response: string
  senderId: string
}

/** Whom it was sent to is nobody's business beyond the recipient's own row. */
export const withoutAddresses = (response: string) =>
  response.replace(/[^\s,;:()]+/g, (word) => (word.includes('@') ? 'the recipient' : word))

/**
 * Acts on the refusals among messages that were just settled, or that bounced, in the transaction `db`: pauses the sender for a
 * receiver that refuses it, at the first one where authentication is missing, because every other email would be refused too; and a
 * campaign whose content is refused. Gmail accounts have rules of their own.
 */
export async function actOnRefusals(
  db: Db,
  campaign: { id: string; workspaceId: string },
  messageIds: string[],
  teller: Teller = 'reply',
): Promise<void> {
  const { workspaceId } = campaign
  const isLater = teller !== 'reply'
  const { rows } = await sql<Refusal>`
    select m.address, m.reason, m.state, m.response, s.id as sender_id
    from messages m join campaigns c on c.workspace_id = m.workspace_id and c.id = m.campaign_id
    join senders s on s.workspace_id = m.workspace_id and s.id = coalesce(m.sender_id, c.sender_id) and s.kind = 'smtp'
    where m.workspace_id = ${workspaceId} and m.campaign_id = ${campaign.id} and m.id = any(${messageIds}::bigint[])`.execute(
    db,
  )
  const content = rows.find(({ reason, state, response }) => reason === 'content' && isOfServer(state, response))
  if (content) await stopForContent(db, campaign, withoutAddresses(content.response))
  const toReceiver = await readReceivers(
    db,
    rows.map(({ address }) => address),
  )
  const bySender = Map.groupBy(rows, ({ address, senderId }) => `${senderId} ${toReceiver(address)}`)
  for (const [key, tried] of bySender) {
    const blocked = tried.filter(({ reason }) => reason === 'block')
    const [last] = blocked
    const receiver = key.slice(key.indexOf(' ') + 1)
    if (!last) continue
    const pause = { workspaceId, senderId: last.senderId, receiver }
    const unproven = teller === 'email' ? undefined : blocked.find((one) => lacksAuthentication(receiver, one))
    if (unproven) {
      await pauseReceiver(db, { ...pause, response: withoutAddresses(unproven.response), isForDay: true })
      continue
    }
    if (!isLater && blocked.length < tried.length * BLOCKED_SHARE) continue
    if (!(await refusesSender(db, campaign, receiver, isLater))) continue
    await pauseReceiver(db, { ...pause, response: withoutAddresses(last.response) })
  }
}

/**
 * Of an operator only its own domains tell of it alone: others are its by their MX records, which their owner may have changed since they
 * were looked up, to refuse in its name.
 */
function lacksAuthentication(receiver: string, { address, response }: Refusal): boolean {
  const fault = findAuthenticationFault(response)
  if (fault === null || (isOperator(receiver) && findOperator(findDomain(address)) !== receiver)) return false
  return fault.isCoded || !WITH_RULES_OF_CUSTOMERS.has(receiver)
}

/** What we could not send for reasons of our own has no reply of a server. */
const isOfServer = (state: string, response: string) => state === 'bounced' || /^[45]\d\d/.test(response)

/** Whether a receiver refused enough of a campaign within the last hour. */
async function refusesSender(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
  receiver: string,
  isLater: boolean,
): Promise<boolean> {
  const { rows } = await sql<{ blocked: number; tried: number }>`
    with refused as materialized (
      select ${domainColumn(sql.ref('address'))} as domain from messages where workspace_id = ${workspaceId} and campaign_id = ${id}
        and trouble in ('failed', 'bounced', 'deferred') and reason = 'block' and coalesce(bounced_at, first_attempt_at) > now() - interval '1 hour'
    )
    select (select count(*)::int from refused left join receiver_domains using (domain) where ${receiverColumn} = ${receiver}) as blocked,
      (select (sent + failed + bounced)::int from campaign_counts where workspace_id = ${workspaceId} and campaign_id = ${id}) as tried`.execute(
    db,
  )
  const { blocked = 0, tried = 0 } = rows[0] ?? {}
  if (blocked < (isOperator(receiver) ? MIN_BLOCKED_BY_OPERATOR : MIN_BLOCKED)) return false
  return !isLater || !isOperator(receiver) || blocked >= tried * BLOCKED_LATER_SHARE
}

/** Pauses a campaign that mail servers refuse for what is in it; a person who resumes it is not asked again for the same refusals. */
async function stopForContent(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
  response: string,
): Promise<void> {
  const text = `Paused: mail servers refuse the content of this email: ${sentence(response)} Resume to send it as it is, or duplicate the campaign and change it.`
  await sql`
    update campaigns c set state = 'paused', state_text = ${text}, updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and state = 'sending'
      and (select count(*) from messages m where m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and m.trouble in ('failed', 'bounced')
        and m.reason = 'content' and (m.state = 'bounced' or m.response ~ '^[45][0-9][0-9]')
        and coalesce(m.bounced_at, m.first_attempt_at) > c.updated_at) >= greatest(${MIN_CONTENT}::int, handed * ${CONTENT_SHARE}::float8)`.execute(
    db,
  )
}
