import { z } from 'zod'
import { Id } from '#contracts/values.ts'
import { endSubscription } from '#server/features/billing/index.ts'
import {
  deleteSomeContacts,
  deleteSomeImportErrors,
  ownerHash,
  retainHashed,
  stopImports,
} from '#server/features/contacts/index.ts'
import { audit, forgetInAudit, forgetWorkspaceInAudit } from '#server/platform/audit.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { invalid, tooMany, unauthorized } from '#server/platform/http/refusal.ts'
import { job } from '#server/platform/queue.ts'
import { clearThrottle, throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { isPasswordRight } from '../sign-in/passwords.ts'
import * as store from '../store.ts'
import { requireOtherAdmin } from './last-admin.ts'
import * as removal from './removal-store.ts'
import { type DeleteAll, workspaceParts } from './workspace-parts.ts'

const WRONG_TRIES = 10
const RECHECK_INTERVAL_MS = 1_000

/** `owner` is the hash under which suppressions are retained, in base64url: the address itself is gone by then. */
const Removal = z.object({ workspaceId: Id, owner: z.string() })
// Each run is short and queues the next one: when a process is killed, another takes over after two minutes.
const RUN_MS = 30_000
const removalJob = job('accounts.removal', Removal, { retries: 50, expireSeconds: 120 })

/** The address typed again and, where there is a password, the password: a session left open somewhere is not enough. */
async function confirm(
  services: Services,
  user: store.UserRow,
  given: { email: string; password?: string | undefined },
) {
  if (store.emailKey(given.email) !== store.emailKey(user.email))
    throw invalid('email', 'is not the address of this account')
  if (user.passwordHash === null) return
  if (!given.password) throw invalid('password', 'is required')
  const key = `password:${user.id}`
  const tries = await throttle(services.db, key, WRONG_TRIES, 15 * 60)
  if (!tries.ok) throw tooMany('Too many tries. Wait a few minutes, then try again.', tries.wait)
  if (!(await isPasswordRight(user.passwordHash, given.password))) throw invalid('password', 'is incorrect')
  await clearThrottle(services.db, key)
}

/**
 * Deletes the caller's account. When this resolves, the user and every session are gone and nothing more is sent; what
 * the workspace holds is cleared away in the background. Throws Refusal 400, 409 (the last admin) or 429.
 */
export async function removeAccount(
  services: Services,
  caller: Caller,
  given: { email: string; password?: string | undefined },
): Promise<void> {
  const user = await store.userById(services.db, caller.userId)
  if (!user) throw unauthorized()
  await confirm(services, user, given)
  const { workspaceId } = caller
  const emailKey = store.emailKey(user.email)
  const stopped = await services.db.transaction().execute(async (db) => {
    if (user.role === 'admin') await requireOtherAdmin(db, user.id)
    const stopped: (() => void)[] = []
    for (const part of workspaceParts()) stopped.push(await part.stop(services, db, workspaceId))
    await stopImports(db, workspaceId)
    await endSubscription(services, db, workspaceId)
    await audit(db, { action: 'account_deleted' })
    await forgetInAudit(db, user)
    await forgetWorkspaceInAudit(db, user.id, workspaceId)
    await removal.deleteUser(db, user.id, workspaceId, emailKey)
    await services.queue.forget(db, 'email', user.email)
    const owner = ownerHash(services.config, emailKey).toString('base64url')
    await services.queue.enqueue(removalJob, { workspaceId, owner }, { db, key: workspaceId })
    return stopped
  })
  for (const afterwards of stopped) afterwards()
}

/** Empties a workspace slice by slice. Stopped in the middle, it goes on where it was. Returns whether all is gone. */
async function clear(services: Services, given: z.output<typeof Removal>, signal: AbortSignal): Promise<boolean> {
  const { db, config } = services
  const { workspaceId } = given
  const owner = Buffer.from(given.owner, 'base64url')
  // What is being handed over at this moment ends first, so that its answer, perhaps a bounce, is not lost on us.
  for (const part of workspaceParts()) if (await part.isBusy?.(db, workspaceId)) return false
  const all: DeleteAll = async (deleteSome) => {
    while (!signal.aborted && (await deleteSome()) > 0);
  }
  for (const part of workspaceParts()) await part.empty(db, workspaceId, all)
  // After the messages: until they are gone, people can still unsubscribe by them.
  await all(() => retainHashed(db, config, workspaceId, owner))
  await all(() => deleteSomeContacts(db, workspaceId))
  await all(() => deleteSomeImportErrors(db, workspaceId))
  if (signal.aborted) return false
  await removal.deleteWorkspace(db, workspaceId)
  await services.queue.forget(db, 'workspaceId', workspaceId)
  return true
}

export async function handleRemoval(services: Services): Promise<void> {
  await services.queue.handle(removalJob, async (given, stopping) => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(RUN_MS)])
    if (await clear(services, given, signal)) return
    const at = new Date(Date.now() + RECHECK_INTERVAL_MS)
    await services.queue.enqueue(removalJob, given, { key: given.workspaceId, at })
  })
}
