import { sql } from 'kysely'
import type { Agreement, Confirmation } from '#contracts/contacts/contacts.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Of more only the newest are shown; an export has all. */
const MAX_SHOWN = 50

type Stored<T, Dates extends keyof T> = Omit<T, Dates> & { [Key in Dates]: Date | Extract<T[Key], null> }
type ConfirmationRecord = Stored<Confirmation, 'requestedAt' | 'sentAt' | 'expiresAt' | 'confirmedAt'>

/** How a contact agreed to double opt-in lists, the newest first: by confirming emails, and before imports that said so. */
export async function showEvidence(
  db: Db,
  workspaceId: string,
  contactId: string,
): Promise<{ confirmations: Confirmation[]; agreements: Agreement[] }> {
  const { rows } = await sql<ConfirmationRecord>`
    select k.id, k.email, k.source, k.wording, k.wording_version, k.requested_at, k.requested_ip, k.requested_user_agent, k.mails as emails, k.sent_at,
      k.problem, k.expires_at, k.confirmed_at, k.confirmed_ip, k.confirmed_user_agent,
      (select jsonb_build_object('id', f.id::text, 'name', f.name) from forms f
        where f.workspace_id = k.workspace_id and f.id = k.form_id) as form,
      case when k.confirmed_at is not null then 'confirmed' when k.expires_at < now() then 'expired' when k.mails > 0 then 'sent'
        when k.next_mail is not null then 'queued' else 'failed' end as state,
      coalesce((select jsonb_agg(jsonb_build_object('id', l.id::text, 'name', l.name) order by l.id) from lists l
        where l.workspace_id = k.workspace_id and l.id = any(k.list_ids)), '[]') as lists
    from confirmations k
    where k.workspace_id = ${workspaceId} and k.contact_id = ${contactId} order by k.id desc limit ${MAX_SHOWN}`.execute(
    db,
  )
  const { rows: agreements } = await sql<Stored<Agreement, 'at'>>`
    select jsonb_build_object('id', l.id::text, 'name', l.name) as list, i.id as import_id, i.file_name,
      i.agreed->>'evidence' as evidence, i.agreed->>'recordedBy' as recorded_by, m.at
    from list_members m join lists l on l.workspace_id = m.workspace_id and l.id = m.list_id
    join imports i on i.workspace_id = m.workspace_id and i.id = m.import_id
    where m.workspace_id = ${workspaceId} and m.contact_id = ${contactId} and m.status = 'confirmed' and i.agreed is not null
    order by l.id limit ${MAX_SHOWN}`.execute(db)
  return {
    confirmations: rows.map((row) => ({
      ...row,
      requestedAt: row.requestedAt.toISOString(),
      sentAt: row.sentAt?.toISOString() ?? null,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      confirmedAt: row.confirmedAt?.toISOString() ?? null,
    })),
    agreements: agreements.map((row) => ({ ...row, at: row.at.toISOString() })),
  }
}
