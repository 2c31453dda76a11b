/** The commands of npm run user, on this installation's own database. */
import type { AuditAction } from '../contracts/admin/admin.ts'
import {
  addUser,
  allUsers,
  confirmAddress,
  deleteSessions,
  hashPassword,
  updateUser,
  userByEmail,
} from '../server/features/accounts/index.ts'
import { setPlanByHand } from '../server/features/billing/index.ts'
import { audit } from '../server/platform/audit.ts'
import { loadConfig } from '../server/platform/config.ts'
import { type Database, type Db, openDatabase } from '../server/platform/db/database.ts'
import { DatabaseStartError } from '../server/platform/db/embedded/index.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { ConfigError } from '../server/platform/environment.ts'
import { Refusal } from '../server/platform/http/refusal.ts'
import { createLog } from '../server/platform/log.ts'
import { type Arguments, UsageError } from './user-arguments.ts'

const actor = 'command line'

async function add({ db }: Database, given: Arguments) {
  const { email = '', password = '', name = '', role = 'user', plan = 'free', verified = false } = given
  const added = await db.transaction().execute(async (db) => {
    const added = await addUser(db, { email, password, name, role, plan, verified })
    if (!added) return undefined
    const { id, workspaceId } = added
    await audit(db, {
      action: 'user_added',
      actor,
      subject: { id, email },
      workspaceId,
      details: { role, plan, verified },
    })
    return added
  })
  if (!added) throw new UsageError(`${email} has an account already; nothing was changed`)
  console.log(added.id)
}

async function set({ db }: Database, given: Arguments) {
  const passwordHash = given.password && (await hashPassword(given.password))
  const id = await db.transaction().execute(async (db) => {
    const user = await userByEmail(db, given.email ?? '')
    if (!user) throw new UsageError(`${given.email} has no account`)
    await updateUser(db, user.id, {
      ...(given.name !== undefined && { name: given.name }),
      ...(given.role && { role: given.role }),
      ...(passwordHash && { passwordHash }),
    })
    if (given.verified && !user.emailVerifiedAt)
      await confirmAddress(db, user, { ...(passwordHash && { passwordHash }) })
    if (given.plan) await setPlanByHand(db, user.workspaceId, given.plan, null, actor)
    if (passwordHash) await deleteSessions(db, user.id, {})
    await auditSet(db, user, given)
    return user.id
  })
  console.log(id)
}

/** One line of the audit log for each thing that became another. */
async function auditSet(db: Db, user: NonNullable<Awaited<ReturnType<typeof userByEmail>>>, given: Arguments) {
  const { role, name, password, verified } = given
  const changes: [boolean, AuditAction, Record<string, string>?][] = [
    [role !== undefined && role !== user.role, 'role_changed', { from: user.role, to: role ?? '' }],
    [name !== undefined && name !== user.name, 'user_renamed'],
    [password !== undefined, 'password_changed'],
    [verified === true && !user.emailVerifiedAt, 'marked_verified'],
  ]
  for (const [isNew, action, details = {}] of changes)
    if (isNew) await audit(db, { action, actor, subject: user, workspaceId: user.workspaceId, details })
}

async function list({ db }: Database) {
  for (const user of await allUsers(db)) {
    console.log(
      [user.id, user.email, user.name, user.role, user.plan, user.emailVerifiedAt ? 'verified' : 'not verified'].join(
        '\t',
      ),
    )
  }
}

const commands = { add, set, list }

/** Does what was asked for and prints the result. Throws UsageError with what keeps it from that. */
export async function runCommand(given: Arguments): Promise<void> {
  try {
    const database = await openDatabase(loadConfig(), createLog({ logLevel: 'silent' }))
    try {
      await migrate(database.pool)
      await commands[given.command as keyof typeof commands](database, given)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof Refusal || error instanceof ConfigError || error instanceof DatabaseStartError)
      throw new UsageError(error.message)
    throw error
  }
}
