import { sql } from 'kysely'
import { learnBsuid, liftUnsubscribes } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'
import { isOptBackIn, isOptOut } from '../consents/keywords.ts'
import type { AccountRow } from '../numbers/store.ts'
import { findPersonContact, optBackIn, optOut, toPersonKey, toPhone } from '../people.ts'
import type { InboundEvent, PreferenceEvent } from './events.ts'
import { findLastCampaign } from './last-campaign.ts'

/** What came of one message of a person: something to show, and perhaps to answer. */
export interface Received {
  conversationId: string
  messageId: string
  /** They stopped, or began again, with these words. */
  wish: 'stop' | 'start' | null
}

/** The conversation of a person with a number, made if there is none; Meta may know them by number, by a scoped id, or by both. */
async function conversationFor(db: Db, account: AccountRow, event: InboundEvent): Promise<string> {
  const { waId, bsuid } = event
  const phone = toPhone(waId)
  const contact = await findPersonContact(db, account.workspaceId, { phone, bsuid })
  if (contact && bsuid && contact.bsuid !== bsuid) await learnBsuid(db, account.workspaceId, contact.id, bsuid)
  const { rows } = await sql<{ id: string }>`
    select id from whatsapp_conversations where workspace_id = ${account.workspaceId} and account_id = ${account.id}
      and (wa_id = ${waId} or bsuid = ${bsuid}) order by (wa_id = ${waId}) desc nulls last, id limit 1 for update`.execute(
    db,
  )
  const [known] = rows
  if (known) {
    await sql`update whatsapp_conversations set wa_id = coalesce(wa_id, ${waId}), phone = coalesce(phone, ${phone}),
        bsuid = case when bsuid is null and not exists (select 1 from whatsapp_conversations o
          where o.workspace_id = ${account.workspaceId} and o.account_id = ${account.id} and o.bsuid = ${bsuid}) then ${bsuid} else bsuid end,
        contact_id = coalesce(contact_id, ${contact?.id ?? null}::bigint),
        profile_name = coalesce(nullif(${event.name}, ''), profile_name)
      where workspace_id = ${account.workspaceId} and id = ${known.id}`.execute(db)
    return known.id
  }
  const made = await sql<{ id: string }>`
    insert into whatsapp_conversations (workspace_id, account_id, contact_id, wa_id, bsuid, phone, profile_name)
    values (${account.workspaceId}, ${account.id}, ${contact?.id ?? null}, ${waId}, ${bsuid}, ${phone}, ${event.name})
    on conflict (workspace_id, account_id, wa_id) where wa_id is not null do update set profile_name = excluded.profile_name
    returning id`.execute(db)
  const id = made.rows[0]?.id ?? ''
  // What a campaign sent them before belongs to the conversation from now on.
  await sql`update whatsapp_messages set conversation_id = ${id}
    where workspace_id = ${account.workspaceId} and account_id = ${account.id}
    and person = any(${[waId, bsuid].filter((one) => one !== null)}::text[]) and conversation_id is null`.execute(db)
  return id
}

const buildPreview = ({ kind, text }: InboundEvent) =>
  (
    text ||
    {
      image: 'Image',
      video: 'Video',
      audio: 'Sound',
      document: 'Document',
      sticker: 'Sticker',
      location: 'Place',
      contacts: 'Contact',
    }[kind] ||
    'Message'
  ).slice(0, 140)

/** What the person wishes, said in words or by a tapped button. */
function detectWish({ kind, text, payload, isPerson }: InboundEvent): Received['wish'] {
  if (!isPerson) return null
  const said = kind === 'text' ? [text] : kind === 'button' || kind === 'interactive' ? [text, payload] : []
  if (said.some(isOptOut)) return 'stop'
  return said.some(isOptBackIn) ? 'start' : null
}

/** For the figures (reports/counting.ts): to opt out is no reply to a campaign, nor to undo it. */
const IS_NO_REPLY = { isNoReply: true }

/** Keeps one message of a person, once, however often it is told. Returns undefined where it was known already. */
export async function keepInbound(db: Db, account: AccountRow, event: InboundEvent): Promise<Received | undefined> {
  const conversationId = await conversationFor(db, account, event)
  const wish = detectWish(event)
  const content = {
    ...(wish === 'stop' && IS_NO_REPLY),
    ...(event.payload && { payload: event.payload }),
    ...(event.repliesTo && { answers: event.repliesTo }),
    ...(event.media && { media: event.media }),
  }
  const row = await db
    .insertInto('whatsappMessages')
    .values({
      workspaceId: account.workspaceId,
      accountId: account.id,
      conversationId,
      person: event.waId ?? event.bsuid ?? '',
      direction: 'in',
      kind: event.kind,
      wamid: event.wamid,
      text: event.text,
      content: JSON.stringify(content),
      status: 'received',
      at: event.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  await sql`update whatsapp_conversations set
      state = 'open', unread = unread + ${event.isPerson ? 1 : 0}, changed_at = ${timeNow()},
      preview = case when ${event.at} >= last_at or last_in_at is null then ${buildPreview(event)} else preview end,
      last_at = greatest(last_at, ${event.at}::timestamptz),
      last_in_at = case when ${event.isPerson} then greatest(last_in_at, ${event.at}::timestamptz) else last_in_at end
    where workspace_id = ${account.workspaceId} and id = ${conversationId}`.execute(db)
  const keys = [toPhone(event.waId), toPersonKey(event.bsuid)]
  if (wish === 'stop') {
    const note = `Wrote “${event.text.slice(0, 60)}” to ${account.displayPhone}.`
    const campaignId = await findLastCampaign(db, account, [event.waId, event.bsuid], event.at)
    for (const key of keys) await optOut(db, account.workspaceId, key, note, campaignId)
  }
  if (wish !== 'start') return { conversationId, messageId: row.id, wish }
  const isBack = await optBackIn(db, account.workspaceId, keys)
  if (isBack)
    await sql`update whatsapp_messages set content = content || ${JSON.stringify(IS_NO_REPLY)}::jsonb
      where workspace_id = ${account.workspaceId} and id = ${row.id}`.execute(db)
  return { conversationId, messageId: row.id, wish: isBack ? 'start' : null }
}

/** What a person chose in WhatsApp itself about promotions. The last word counts, whatever order they come in. */
export async function keepPreferences(db: Db, account: AccountRow, events: PreferenceEvent[]): Promise<void> {
  const last = new Map<string, PreferenceEvent>()
  for (const event of events) {
    const before = last.get(event.person)
    if (!before || before.at <= event.at) last.set(event.person, event)
  }
  for (const { person, value, at } of last.values()) {
    const key = toPersonKey(person)
    if (value === 'stop')
      await optOut(
        db,
        account.workspaceId,
        key,
        `Stopped promotions of ${account.displayPhone} in WhatsApp.`,
        await findLastCampaign(db, account, [person], at),
      )
    // A "resume" that was late does not undo a later "stop".
    else if (key) await liftUnsubscribes(db, account.workspaceId, 'whatsapp', [key], at)
    await sql`update whatsapp_conversations set changed_at = ${timeNow()}
      where workspace_id = ${account.workspaceId} and account_id = ${account.id} and ${person} in (wa_id, bsuid)`.execute(
      db,
    )
  }
}
