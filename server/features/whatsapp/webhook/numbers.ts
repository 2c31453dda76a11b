import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { findMessagingLimit } from '../numbers/credentials.ts'
import { type AccountRow, noteState } from '../numbers/store.ts'
import { toQuality } from '../templates/store.ts'
import type { NumberEvent, QualityEvent, TemplateEvent } from './events.ts'

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

const BANS = new Set([
  'DISABLED_UPDATE',
  'ACCOUNT_RESTRICTION',
  'ACCOUNT_VIOLATION',
  'ACCOUNT_DELETED',
  'PARTNER_REMOVED',
])

/** What Meta says about the number or its business account: quality, limits, restrictions. What is not known here is left alone. */
export async function keepNumberEvent(db: Db, account: AccountRow, { field, value }: NumberEvent): Promise<void> {
  const mine = sql`where workspace_id = ${account.workspaceId} and id = ${account.id}`
  if (field === 'phone_number_quality_update') {
    const event = toText(value.event).toUpperCase()
    const tier = toText(value.current_limit ?? value.max_daily_conversations_per_business)
    const quality = event === 'FLAGGED' ? 'red' : event === 'UNFLAGGED' || event === 'ONBOARDING' ? 'green' : null
    if (quality) await sql`update whatsapp_numbers set quality = ${quality} ${mine}`.execute(db)
    if (tier)
      await sql`update whatsapp_numbers set tier = ${tier}, daily_limit = ${findMessagingLimit(tier)}::int ${mine}`.execute(
        db,
      )
    if (event === 'THROUGHPUT_UPGRADE') await sql`update whatsapp_numbers set per_second = 1000 ${mine}`.execute(db)
  } else if (field === 'business_capability_update') {
    const tier = toText(value.max_daily_conversations_per_business ?? value.max_daily_conversation_per_phone)
    const limit = findMessagingLimit(tier) ?? (/^\d{1,9}$/.test(tier) ? Number(tier) : null)
    if (tier) await sql`update whatsapp_numbers set tier = ${tier}, daily_limit = ${limit}::int ${mine}`.execute(db)
  } else if (field === 'account_update') {
    const event = toText(value.event).toUpperCase()
    if (BANS.has(event))
      await noteState(
        db,
        account.workspaceId,
        account.id,
        'restricted',
        `Meta says of the business account: ${event.toLowerCase().replaceAll('_', ' ')}. See the Business Support Home.`,
      )
    if (event === 'ACCOUNT_REINSTATED' || event === 'REINSTATED')
      await noteState(db, account.workspaceId, account.id, 'working', '')
  }
}

/** What people made of a template. The newest word counts. */
export async function keepTemplateQuality(db: Db, account: AccountRow, event: QualityEvent): Promise<void> {
  await db
    .updateTable('whatsappTemplates')
    .set({ quality: toQuality(event.quality) })
    .where('workspaceId', '=', account.workspaceId)
    .where('businessAccountId', '=', account.businessAccountId)
    .where('name', '=', event.name)
    .where('language', '=', event.language)
    .execute()
}

/** A template's new status; one that is not known yet comes with the next reading of all of them. */
export async function keepTemplateEvent(db: Db, account: AccountRow, event: TemplateEvent): Promise<void> {
  const status = { REINSTATED: 'APPROVED', FLAGGED: 'FLAGGED', UNARCHIVED: 'APPROVED' }[event.status] ?? event.status
  // FLAGGED warns of a pause to come: it may still be sent.
  if (status === 'FLAGGED') return
  await db
    .updateTable('whatsappTemplates')
    .set({
      status,
      reason: status === 'APPROVED' ? '' : event.reason,
      syncedAt: sql<Date>`now()`,
      ...(event.metaId && { metaId: event.metaId }),
    })
    .where('workspaceId', '=', account.workspaceId)
    .where('businessAccountId', '=', account.businessAccountId)
    .where('name', '=', event.name)
    .where('language', '=', event.language)
    .execute()
}
