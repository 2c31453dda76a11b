import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { decrypt, deriveKey, encrypt } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import { notFound, Refusal } from '#server/platform/http/refusal.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { forgetContact, forgetRemoved } from '../bulk/bulk-store.ts'
import { findAside } from '../bulk/removed-store.ts'
import { contactParts } from '../contact-parts.ts'
import { clearProperties } from '../events/events-store.ts'
import { deleteContacts, lockAddresses } from '../store.ts'
import { type Addresses, isErased, markErased, readmit } from './erased-store.ts'
import * as store from './erasure-store.ts'

const CONTEXT = 'erased contact'
const RECHECK_INTERVAL_MS = 10_000
const Who = z.object({
  email: z.string().nullable(),
  emailKey: z.string().nullable(),
  phone: z.string().nullable(),
  bsuid: z.string().nullable(),
})

/** `who` is encrypted: the queue remembers its jobs for days. */
const eraseJob = job('contacts.erase', z.object({ workspaceId: z.string(), contactId: z.string(), who: z.string() }), {
  retries: 50,
})

/** How a contact is reached, also one that was removed and may still be put back. What is read is locked until the transaction ends. */
async function lockPerson(db: Db, workspaceId: string, id: string): Promise<z.infer<typeof Who> | undefined> {
  const find = () => lockAddresses(db, workspaceId, id)
  // Once more in the end: an undo that was waited for has put the contact back.
  return (await find()) ?? (await findAside(db, workspaceId, id, true)) ?? (await find())
}

/**
 * Erases a contact (GDPR, article 17), also one that was removed and may still be put back. When this returns, the contact is gone, nothing more is sent and no import brings
 * them back; a job then takes them out of what was sent, answered, imported and collected. Throws Refusal 404.
 */
export async function eraseContact({ db, config, queue }: Services, workspaceId: string, id: string): Promise<void> {
  const erase = async (db: Db) => {
    const who = await lockPerson(db, workspaceId, id)
    if (!who) throw notFound('Contact')
    await markErased(db, config, workspaceId, who)
    await deleteContacts(db, config, workspaceId, [id])
    await forgetContact(db, workspaceId, id)
    const payload = { workspaceId, contactId: id, who: encrypt(config.secretKey, JSON.stringify(who), CONTEXT) }
    await queue.enqueue(eraseJob, payload, { db, key: id })
  }
  // The undo of a removal may be putting back a contact with the same address at this moment.
  await retryUndone(() => db.transaction().execute(erase))
}

export async function handleErasure({ db, config, queue }: Services): Promise<void> {
  await queue.handle(eraseJob, async (payload, signal) => {
    const { workspaceId, contactId } = payload
    const who = Who.parse(JSON.parse(decrypt(config.secretKey, payload.who, CONTEXT)))
    const hash = createHmac('sha256', deriveKey(config.secretKey, CONTEXT)).update(
      `${workspaceId}:${who.emailKey ?? who.phone ?? who.bsuid}`,
    )
    const erased = { workspaceId, contactId, ...who, pseudonym: `erased-${hash.digest('hex').slice(0, 16)}` }
    await forgetRemoved(db, workspaceId, who)
    await removeReturned(db, config, workspaceId, who)
    let isUnderWay = false
    for (const part of contactParts()) isUnderWay = (await part.erase?.(db, erased, signal)) || isUnderWay
    await store.clearFound(db, erased)
    await clearProperties(db, erased)
    // The mail server's reply to what is being handed over may name them again.
    if (isUnderWay)
      await queue.enqueue(eraseJob, payload, { key: contactId, at: new Date(Date.now() + RECHECK_INTERVAL_MS) })
  })
}

/** What was being imported while the contact was erased may have brought it back in that moment. */
async function removeReturned(db: Db, config: Services['config'], workspaceId: string, who: z.infer<typeof Who>) {
  if (!(await isErased(db, config, workspaceId, who))) return
  await deleteContacts(db, config, workspaceId, await store.broughtBack(db, workspaceId, who))
}

/** Refuses (409) to add somebody who was erased, unless the caller says that they asked for it. */
export async function requireNotErased(
  { config }: Pick<Services, 'config'>,
  db: Db,
  workspaceId: string,
  who: Addresses & { email?: string | null | undefined },
  isAskedFor = false,
): Promise<void> {
  if (!(await isErased(db, config, workspaceId, who))) return
  if (isAskedFor) return readmit(db, config, workspaceId, who)
  throw new Refusal(
    409,
    'contact_erased',
    'This person was erased from your contacts. Add them again only if they asked for it: send "readmit": true.',
    { details: [{ field: who.emailKey ? 'email' : 'phone', message: 'was erased from your contacts' }] },
  )
}
