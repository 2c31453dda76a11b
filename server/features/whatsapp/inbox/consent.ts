import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import { hasConsent } from '../consents/consents.ts'

/** A contact as far as WhatsApp can reach them. */
export interface Reachable {
  id: string
  phone: string | null
  bsuid: string | null
}

const NO_CONSENT =
  'This person has no recorded consent to be written to on WhatsApp. Record how and when it was given first.'
const NEEDS_NUMBER =
  'WhatsApp hides the number of this person, and an authentication template can only be sent to a number. Nothing was sent.'

/** Refuses what was not agreed to: to write first without a consent, and a template of a category it does not cover. Throws Refusal 409 in words. */
export async function refuseUncovered(
  db: Db,
  workspaceId: string,
  contactId: string | null,
  category?: string,
): Promise<void> {
  const { rows } = await sql<{ any: boolean; covers: boolean }>`
    select ${hasConsent(workspaceId)} as any, ${hasConsent(workspaceId, category)} as covers from contacts c
    where c.workspace_id = ${workspaceId} and c.id = ${contactId}`.execute(db)
  const [found] = rows
  if (!found?.any) throw conflict('no_consent', NO_CONSENT)
  if (category !== undefined && !found.covers)
    throw conflict(
      'other_purpose',
      `The consent of this person does not cover ${category.toLowerCase()} messages. Nothing was sent. Record a consent that does, if they gave it.`,
    )
}

/** An authentication template cannot go to a scoped id. Throws Refusal 409. */
export function refuseNumberless({ phone }: Pick<Reachable, 'phone'>, category: string | undefined): void {
  if (phone === null && category?.toLowerCase() === 'authentication') throw conflict('needs_number', NEEDS_NUMBER)
}
