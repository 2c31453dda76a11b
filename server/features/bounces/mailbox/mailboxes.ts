import type { BounceMailbox } from '#contracts/bounces/bounces.ts'
import type { ImapAccess } from '#server/adapters/imap/client.ts'
import type { Config } from '#server/platform/config.ts'
import { EgressError, resolvePublic } from '#server/platform/egress.ts'
import { BoundedThreads, ThreadError } from '#server/platform/threads/bounded.ts'
import { MailboxProblem, TOO_MUCH } from './connection.ts'

/** Mailboxes that are looked into at once. */
export const AT_ONCE = 4

const threads = new BoundedThreads<MailboxTask>(new URL('./look-thread.ts', import.meta.url), {
  timeMs: 90_000,
  heap: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 },
  threads: AT_ONCE,
  // Longer than from one look at a mailbox to the next.
  idleMs: 90_000,
})

interface Folder {
  access: ImapAccess
  folder: string
}

/** `cursor`: what makes the numbers of messages valid, and the number of the last one that was read. */
type Work =
  | { kind: 'try' }
  | { kind: 'look'; cursor: string | undefined }
  | { kind: 'remove'; cursor: string; uids: number[] }

export type MailboxTask = Folder & Work

/** What came after a cursor, and where that ends; `hasMore`: it is a part. */
export interface Look {
  cursor: string
  found: Found[]
  hasMore: boolean
}

export type MailboxResult = { problem: string } | Look | Record<string, never>

/** A message, as far as it is read. */
export interface Found {
  uid: number
  raw: Uint8Array
}

export interface MailboxOwner {
  workspaceId: string
  mailbox: BounceMailbox
  password: string
  /** Once it is aborted no connection is opened any more. */
  signal?: AbortSignal
}

type MailboxConfig = Pick<Config, 'allowPrivate' | 'dnsServers'>

/** Ends what is under way, for a process that stops. */
export const stopLooks = (): Promise<void> => threads.stop()

/** Opens the folder of a mailbox and nothing more. Throws MailboxProblem. */
export async function tryFolder(config: MailboxConfig, owner: MailboxOwner): Promise<void> {
  await run(config, owner, { kind: 'try' })
}

/** What came after the cursor, in order; of much a part. Throws MailboxProblem, and what `signal` aborts with. */
export async function lookInto(config: MailboxConfig, owner: MailboxOwner, cursor: string | undefined): Promise<Look> {
  return (await run(config, owner, { kind: 'look', cursor })) as Look
}

/** Deletes messages that a look with this cursor found. Throws as `lookInto` does. */
export async function removeFrom(
  config: MailboxConfig,
  owner: MailboxOwner,
  found: { cursor: string; uids: number[] },
): Promise<void> {
  await run(config, owner, { kind: 'remove', ...found })
}

async function run(config: MailboxConfig, { workspaceId, mailbox, password, signal }: MailboxOwner, work: Work) {
  const access = await toAccess(config, mailbox, password)
  signal?.throwIfAborted()
  const task: MailboxTask = { ...work, access, folder: mailbox.folder }
  const result = (await threads.run(task, { workspaceId }).catch((error) => {
    if (error instanceof ThreadError && (error.reason === 'time' || error.reason === 'size'))
      throw new MailboxProblem(TOO_MUCH)
    throw error
  })) as MailboxResult
  if ('problem' in result) throw new MailboxProblem(result.problem)
  return result
}

/** Only public hosts, and those that the operator allows, are reached. Throws MailboxProblem. */
async function toAccess(
  { allowPrivate: allow, dnsServers }: MailboxConfig,
  { host, port, secure, user }: BounceMailbox,
  password: string,
): Promise<ImapAccess> {
  const pinned = await resolvePublic(host, port, { allow, dnsServers }).catch((error) => {
    throw error instanceof EgressError ? new MailboxProblem(`${host} cannot be reached: ${error.message}.`) : error
  })
  const access = { host: pinned.address, name: host, port, user, password }
  return { ...access, secure: secure === 'tls', startTls: secure === 'starttls' }
}
