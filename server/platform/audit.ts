import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { AuditAction } from '#contracts/admin/admin.ts'
import type { Db } from './db/database.ts'
import type { Caller } from './http/mount.ts'
import { toNetwork } from './network.ts'

/** A user as the log names them: a row outlives its user, so the address is written down as it is now. */
export interface AuditPerson {
  id: string
  email: string
}

export interface AuditEntry {
  action: AuditAction
  /** Who did it: a user, or words such as 'command line'. Omitted: the caller of the request, or nobody we know. */
  actor?: AuditPerson | string
  /** To whom or what, where that is not the actor. */
  subject?: AuditPerson | string
  /** Whose affair it is; the actor's own workspace when omitted. */
  workspaceId?: string
  /** From where, for a deed that a job finishes; the network of the request when omitted. */
  network?: string
  /** Small facts for people, such as `{ from: 'free', to: 'pro' }`. Never a password, a token or a hash. */
  details?: Record<string, string | number | boolean | string[] | null>
}

const visitor = new AsyncLocalStorage<{ network: string; caller: Caller | undefined }>()

/** Remembers who is being answered and from which network, so that `audit` knows it without every function passing it on. */
export function rememberVisitors(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    visitor.run({ network: toNetwork(request.ip), caller: request.caller }, done)
  })
}

/** The network of the request being answered, such as `203.0.113.0/24`; empty in jobs and on the command line. */
export const visitorNetwork = (): string => visitor.getStore()?.network ?? ''

function person(who: AuditPerson | string | undefined): { id: string | null; name: string } {
  return typeof who === 'object' ? { id: who.id, name: who.email } : { id: null, name: who ?? '' }
}

/**
 * Writes one line of the audit log. Give it the transaction of the action itself: what is rolled back was not done, and
 * what was done is never missing from the log.
 */
export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  const caller = visitor.getStore()?.caller
  const by = entry.actor ?? (caller && { id: caller.userId, email: caller.email })
  const actor = person(by)
  const subject = person(entry.subject ?? by)
  await db
    .insertInto('auditLog')
    .values({
      action: entry.action,
      actorId: actor.id,
      actor: actor.name,
      subjectId: subject.id,
      subject: subject.name,
      workspaceId: entry.workspaceId ?? caller?.workspaceId ?? null,
      network: entry.network ?? visitorNetwork(),
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
}

/** Takes a person's address out of the log when their account is deleted, after its last line; what was done stays, by whom is forgotten. */
export async function forgetInAudit(db: Db, user: AuditPerson): Promise<void> {
  const gone = 'deleted account'
  await db.updateTable('auditLog').set({ actor: gone }).where('actorId', '=', user.id).execute()
  await db.updateTable('auditLog').set({ subject: gone }).where('subjectId', '=', user.id).execute()
}

/** Leaves of a workspace's lines that something was done, and when: not by whom or from where, and without the details. */
export async function forgetWorkspaceInAudit(db: Db, userId: string, workspaceId: string): Promise<void> {
  await sql`update audit_log set workspace_id = null, details = '{}', network = case when actor_id = ${userId} then '' else network end
    where workspace_id = ${workspaceId}`.execute(db)
}

/** Removes up to `limit` lines older than `days`. Returns how many. */
export async function deleteOldAudit(db: Db, days: number, limit: number): Promise<number> {
  const old = db
    .selectFrom('auditLog')
    .where('at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .select('id')
    .limit(limit)
  return Number((await db.deleteFrom('auditLog').where('id', 'in', old).executeTakeFirst()).numDeletedRows)
}
