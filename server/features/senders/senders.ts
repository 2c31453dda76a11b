import type { Sender } from '#contracts/senders/senders.ts'
import { findAuthenticationFault } from '#server/engine/index.ts'
import { audit } from '#server/platform/audit.ts'
import { isReferred } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, notFound, type Refusal } from '#server/platform/http/refusal.ts'
import { defaultFrom } from './credentials.ts'
import { askForConfirmation, isFromAllowed } from './from-address.ts'
import { findSenderKind, readSenders, refuseOtherFields } from './kinds.ts'
import { presentPlan } from './ramp/plan.ts'
import { presentPaces, readReceiverStates } from './receivers/paces.ts'
import type { KindSender, NewSender, SenderChange, SenderContext } from './sender-kind.ts'
import { senderParts } from './sender-parts.ts'
import * as store from './store.ts'
import { findSender, tryAndNote } from './trying.ts'

/** A sender as the outside sees it: never its password. */
async function presentSender(
  row: store.SenderRow,
  { missing, present }: KindSender,
  services: Omit<SenderContext, 'queue'>,
): Promise<Sender> {
  const { pauses, paces } = await readReceiverStates(services.db, row.workspaceId, row.id)
  return {
    id: row.id,
    ...present(),
    name: row.name,
    isDefault: row.isDefault,
    host: row.host,
    port: row.port,
    secure: row.secure as Sender['secure'],
    user: row.username,
    hasPassword: row.passwordEncrypted !== null,
    fromName: row.fromName,
    fromEmail: row.fromEmail || (row.isDefault ? defaultFrom(services.config.mailFrom) : ''),
    fromConfirmed: await isFromAllowed(services, row),
    limits: { perSecond: row.perSecond, perDay: row.perDay, perMinute: row.perMinute, connections: row.connections },
    rampPlan: presentPlan(row, Date.now()),
    state: missing ? 'failing' : (row.state as Sender['state']),
    stateText: missing ?? row.stateText,
    pausedReceivers: pauses.map(({ until, ...pause }) => ({
      ...pause,
      until: until.toISOString(),
      fix: findAuthenticationFault(pause.response)?.fix ?? '',
    })),
    ...presentPaces(paces),
    checkedAt: row.checkedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

/** A sender of the workspace with what its kind adds. Throws Refusal 404. */
async function readSender(services: SenderContext, workspaceId: string, id: string) {
  const row = await findSender(services, workspaceId, id)
  const sender = (await readSenders(services, services.db, workspaceId, [row])).get(id)
  if (!sender) throw notFound('Sender')
  return { row, sender }
}

/** A sender as the contract has it. Throws Refusal 404. */
export async function showSender(services: SenderContext, workspaceId: string, id: string): Promise<Sender> {
  const { row, sender } = await readSender(services, workspaceId, id)
  return presentSender(row, sender, services)
}

/** Saves a sender of any kind and tries it. It is stored in any case; its state says whether it works. */
export async function createSender(services: SenderContext, workspaceId: string, given: NewSender): Promise<Sender> {
  const kind = given.kind ?? 'smtp'
  refuseOtherFields(kind, given)
  const { id, problem } = await findSenderKind(kind).create(services, workspaceId, given)
  await tryAndNote(services, workspaceId, id, problem)
  return showSender(services, workspaceId, id)
}

/** Changes a sender; a changed connection is tried again, and campaigns that wait are looked at. Throws Refusal 400 or 404. */
export async function changeSender(
  services: SenderContext,
  workspaceId: string,
  id: string,
  given: SenderChange,
): Promise<Sender> {
  const { row, sender } = await readSender(services, workspaceId, id)
  refuseOtherFields(row.kind, given)
  const { reconnects, problem } = await sender.change(services, given)
  if (reconnects) await tryAndNote(services, workspaceId, id, problem)
  services.live.publish('senders', workspaceId)
  return showSender(services, workspaceId, id)
}

/** Sends the link again that confirms a sender's From address. Throws Refusal 404, 409 or 429. */
export async function confirmFrom(
  services: SenderContext,
  workspaceId: string,
  id: string,
): Promise<{ message: string }> {
  const row = await findSender(services, workspaceId, id)
  if (await isFromAllowed(services, row)) throw conflict('confirmed', 'Its From address does not need confirmation.')
  await askForConfirmation(services, services.db, workspaceId, row.fromEmail)
  return { message: `We sent an email to ${row.fromEmail}. Open the link in it.` }
}

/** Removes a sender no running campaign uses. Throws Refusal 404 or 409. */
export async function removeSender(services: SenderContext, workspaceId: string, id: string): Promise<void> {
  const { row, sender } = await readSender(services, workspaceId, id)
  if (row.isDefault) throw conflict('default_sender', 'The default sender cannot be removed.')
  await services.db
    .transaction()
    .execute(async (db) => {
      // Locked first, so that no campaign begins to refer to it.
      if (!(await store.lockSender(db, workspaceId, id))) throw notFound('Sender')
      await sender.beforeRemoval?.(services, db)
      for (const part of senderParts()) await part.forget(db, workspaceId, id)
      await store.deleteSender(db, workspaceId, id)
      await audit(db, { action: 'sender_removed', subject: row.name, workspaceId, details: { host: row.host } })
    })
    .catch(async (error) => {
      throw isReferred(error) ? await buildInUse(services.db, workspaceId, id) : error
    })
}

/** The refusal that names what uses a sender; what ended since then is named no more. */
async function buildInUse(db: Db, workspaceId: string, id: string): Promise<Refusal> {
  const [first, ...more] = (await Promise.all(senderParts().map((part) => part.listUses(db, workspaceId, id)))).flat()
  if (!first) return conflict('sender_in_use', 'A campaign or a journey uses this sender. Try again.')
  const named = `The ${first.kind} “${first.name}”`
  if (more.length === 0)
    return conflict(
      'sender_in_use',
      `${named} uses this sender. Give it another sender, or ${first.kind === 'journey' ? 'archive' : 'cancel'} it first.`,
    )
  const others = more.length === 1 ? 'one more campaign or journey' : `${more.length} more campaigns or journeys`
  return conflict(
    'sender_in_use',
    `${named} and ${others} use this sender. Give them another sender, or cancel or archive them first.`,
  )
}

/** Lets a sender send again that was stopped. Throws Refusal 404 or 409. */
export async function releaseSender(services: SenderContext, workspaceId: string, id: string): Promise<Sender> {
  const { row, sender } = await readSender(services, workspaceId, id)
  await services.db.transaction().execute(async (db) => {
    if (!(await sender.release?.(db))) throw conflict('not_stopped', 'This sender is not blocked.')
    await audit(db, { action: 'sender_changed', subject: row.name, workspaceId, details: { changed: ['release'] } })
  })
  services.live.publish('senders', workspaceId)
  return showSender(services, workspaceId, id)
}

/** A page of the workspace's senders, the default one first. */
export async function listSenders(
  services: SenderContext,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
) {
  const rows = await store.senderPage(services.db, workspaceId, {
    limit: page.limit + 1,
    ...(page.cursor && { after: page.cursor }),
  })
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  const senders = await readSenders(services, services.db, workspaceId, shown)
  const items = shown.flatMap((row) => {
    const sender = senders.get(row.id)
    return sender ? [presentSender(row, sender, services)] : []
  })
  return {
    items: await Promise.all(items),
    nextCursor,
    total: await store.countSenders(services.db, workspaceId),
  }
}
