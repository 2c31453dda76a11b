import { parseAddress } from '#server/engine/index.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import { openAccount } from './connection.ts'
import { UnusableSender } from './credentials.ts'
import { findSigner } from './domains/signer.ts'
import { isFromAllowed, unconfirmedText } from './from-address.ts'
import type { SenderContext } from './sender-kind.ts'
import { senderParts } from './sender-parts.ts'
import * as store from './store.ts'
import { sendTest, type TestOutcome, tryConnection } from './test-connection.ts'
import { limitTries, reserveTest, sendReserved } from './test-limits.ts'

/** A sender of the workspace. Throws Refusal 404. */
export async function findSender(
  { db }: Pick<SenderContext, 'db'>,
  workspaceId: string,
  id: string,
): Promise<store.SenderRow> {
  const row = await store.senderById(db, workspaceId, id)
  if (!row) throw notFound('Sender')
  return row
}

async function tryOut(
  services: SenderContext,
  row: store.SenderRow,
): Promise<{ state: 'working' | 'failing'; text: string }> {
  try {
    const account = await openAccount(services, services.db, row)
    const problem = await tryConnection(account)
    return problem
      ? { state: 'failing', text: problem.text }
      : { state: 'working', text: account.smtp?.auth ? 'Connected and signed in.' : 'Connected.' }
  } catch (error) {
    if (error instanceof UnusableSender) return { state: 'failing', text: error.message }
    throw error
  }
}

/** Tries the connection, unless it is known already why it fails, and notes what came of it. What was saved stays saved either way. */
export async function tryAndNote(
  services: SenderContext,
  workspaceId: string,
  id: string,
  known: string | undefined,
): Promise<void> {
  const row = await findSender(services, workspaceId, id)
  const { state, text } = known === undefined ? await tryOut(services, row) : { state: 'failing' as const, text: known }
  await store.noteState(services.db, row, state, text)
}

/** Connects, signs in and sends one real message; the sender's state follows. */
export async function testSender(
  services: SenderContext,
  caller: Caller,
  id: string,
  to: string,
): Promise<TestOutcome> {
  const { workspaceId } = caller
  const row = await findSender(services, workspaceId, id)
  const address = parseAddress(to)
  if (!address) throw invalid('to', 'is not an email address')
  if (!(await isFromAllowed(services, row))) throw conflict('from_unconfirmed', unconfirmedText(row.fromEmail))
  await limitTries(services, workspaceId)
  for (const part of senderParts()) await part.refuseSuppressed(services.db, workspaceId, address)
  try {
    const account = await openAccount(services, services.db, row)
    const reserved = await reserveTest(services, caller, account, address.address)
    const { problem, ...outcome } = await sendReserved(services, reserved, async () => {
      const signer = await findSigner(services, workspaceId, account, account.fromEmail)
      return sendTest(account, address.address, services.config.publicUrl, signer)
    })
    if (outcome.ok || problem)
      await store.noteState(
        services.db,
        row,
        problem ? 'failing' : 'working',
        problem?.text ?? 'A test message was sent.',
      )
    return outcome
  } catch (error) {
    if (!(error instanceof UnusableSender)) throw error
    await store.noteState(services.db, row, 'failing', error.message)
    return { ok: false, kind: 'unknown', message: error.message, response: '' }
  }
}
