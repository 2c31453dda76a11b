import { sql } from 'kysely'
import type { Suppression } from '#contracts/contacts/suppressions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import { normalizeEmail, normalizePhone } from '../address.ts'
import { badAddress } from '../contacts.ts'
import { readSearch } from '../matching.ts'
import { readDomainKey } from './email-keys.ts'
import { type Channel, suppress as insertSuppression, leaveLists } from './suppressions-store.ts'

type SuppressionRow = Omit<Suppression, 'channel' | 'reason' | 'at'> & { channel: string; reason: string; at: Date }

const selectSuppressions = (db: Db, workspaceId: string) =>
  db
    .selectFrom('suppressions as s')
    .where('s.workspaceId', '=', workspaceId)
    .select(['s.id', 's.address', 's.channel', 's.reason', 's.note', 's.at'])
    .select(
      sql<
        Suppression['campaign']
      >`(select jsonb_build_object('id', c.id::text, 'name', c.name, 'channel', c.channel) from campaigns c
        where c.workspace_id = ${workspaceId} and c.id = s.campaign_id and c.deleted_at is null)`.as('campaign'),
    )

const EXPORT_PAGE = 2_000

/** Every suppression, newest first, as pages of rows. */
export async function* exportSuppressions(db: Db, workspaceId: string): AsyncGenerator<string[][]> {
  yield [['address', 'channel', 'reason', 'note', 'at', 'campaign']]
  for (let before: string | undefined; ; ) {
    const { items, nextCursor } = await listSuppressions(db, workspaceId, {
      limit: EXPORT_PAGE,
      ...(before && { before }),
    })
    yield items.map(({ address, channel, reason, note, campaign, at }) => [
      address,
      channel,
      reason,
      note,
      at,
      campaign?.name ?? '',
    ])
    if (nextCursor === null) return
    before = nextCursor
  }
}

const present = (row: SuppressionRow) => ({ ...row, at: row.at.toISOString() }) as Suppression

/** The suppressions of a workspace, newest first; `q` is looked for anywhere in the address. */
export async function listSuppressions(
  db: Db,
  workspaceId: string,
  page: { limit: number; before?: string; q?: string },
) {
  let query = selectSuppressions(db, workspaceId)
    .orderBy('s.id', 'desc')
    .limit(page.limit + 1)
  if (page.before) query = query.where('s.id', '<', page.before)
  if (page.q) query = query.where('s.addressKey', 'like', holding(readSearch(page.q)))
  const rows = await query.execute()
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  const items = shown.map(present)
  return { items, nextCursor }
}

export async function showSuppression(db: Db, workspaceId: string, id: string): Promise<Suppression> {
  const row = await selectSuppressions(db, workspaceId).where('s.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Suppression')
  return present(row)
}

interface NewSuppression {
  address?: string | undefined
  domain?: string | undefined
  phone?: string | undefined
  channel: 'email' | 'whatsapp'
  reason: string
  note?: string | undefined
}

/**
 * Suppresses an address or a phone number. One suppressed already stays as it is; an unsubscribe said again has its time and note.
 * Who unsubscribed or complained leaves every list: subscribing to one again opens no other.
 */
export async function suppress(db: Db, workspaceId: string, given: NewSuppression): Promise<Suppression> {
  const { channel, address, key } = read(given)
  if (channel === 'email' && (given.reason === 'unsubscribe' || given.reason === 'complaint'))
    await leaveLists(db, workspaceId, [key])
  const stored = selectSuppressions(db, workspaceId).where('s.channel', '=', channel).where('s.addressKey', '=', key)
  const before = await stored.executeTakeFirst()
  // What the workspace decided it lifts itself before it records another reason.
  if (before && before.reason !== 'unsubscribe') return present(before)
  await insertSuppression(db, workspaceId, { channel, address, key, reason: given.reason, note: given.note ?? '' })
  return present(await stored.executeTakeFirstOrThrow())
}

/** A domain as it is compared, with every address of it. Throws Refusal 400. */
function readDomain({ domain = '', reason }: NewSuppression): { channel: Channel; address: string; key: string } {
  const key = readDomainKey(domain)
  if (key === null) throw invalid('domain', 'is not a domain such as example.com')
  if (reason !== 'manual') throw invalid('reason', 'must be manual for a whole domain')
  return { channel: 'email', address: key, key }
}

/** A phone number is one of WhatsApp whatever the channel says: no mail goes to it. */
function read(given: NewSuppression): { channel: Channel; address: string; key: string } {
  if (given.domain !== undefined) return readDomain(given)
  const field = given.phone === undefined ? 'address' : 'phone'
  const address = given[field] ?? ''
  const channel = field === 'phone' ? 'whatsapp' : given.channel
  const phone = channel === 'whatsapp' || !address.includes('@') ? normalizePhone(address) : undefined
  if (phone && 'phone' in phone) return { channel: 'whatsapp', address: phone.phone, key: phone.phone }
  if (phone && channel === 'whatsapp') throw badAddress(field, phone.reason)
  const email = normalizeEmail(address)
  if ('reason' in email) throw badAddress('address', email.reason)
  return { channel: 'email', address: email.address, key: email.key }
}

/** Lifts a suppression; what the person asked for, or complained about, stays. */
export async function liftSuppression(db: Db, workspaceId: string, id: string): Promise<void> {
  const { reason } = await showSuppression(db, workspaceId, id)
  if (reason === 'unsubscribe' || reason === 'complaint') {
    const what = reason === 'complaint' ? 'This person reported your email as spam' : 'This person unsubscribed'
    throw conflict(
      'stays_suppressed',
      `${what}. The suppression stays. Only the person can remove it, by subscribing again.`,
    )
  }
  await db.deleteFrom('suppressions').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}
