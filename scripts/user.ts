/** npm run user -- add|set|list: the people of this installation, from the command line. */
import { parseArgs } from 'node:util'
import { PlanName, Role } from '../contracts/accounts/accounts.ts'
import type { AuditAction } from '../contracts/admin/admin.ts'
import { parseAddress } from '../contracts/email-address.ts'
import {
  addUser,
  allUsers,
  confirmAddress,
  hashPassword,
  updateUser,
  userByEmail,
} from '../server/features/accounts/index.ts'
import { setPlanByHand } from '../server/features/billing/index.ts'
import { audit } from '../server/platform/audit.ts'
import { ConfigError, loadConfig } from '../server/platform/config.ts'
import { type Database, type Db, openDatabase } from '../server/platform/db/database.ts'
import { DatabaseStartError } from '../server/platform/db/embedded/index.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { Refusal } from '../server/platform/http/refusal.ts'
import { createLog } from '../server/platform/log.ts'

const USAGE = `Usage:
  npm run user -- add --email E --password P --name N [--role user|admin] [--plan free|starter|pro|business] [--verified]
  npm run user -- set --email E [--password P] [--name N] [--role …] [--plan …] [--verified]
  npm run user -- list`

const actor = 'command line'

class UsageError extends Error {}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        password: { type: 'string' },
        name: { type: 'string' },
        role: { type: 'string' },
        plan: { type: 'string' },
        verified: { type: 'boolean' },
      },
    })
    const role = values.role === undefined ? undefined : Role.safeParse(values.role)
    const plan = values.plan === undefined ? undefined : PlanName.safeParse(values.plan)
    if (role?.success === false) throw new UsageError('--role must be user or admin')
    if (plan?.success === false) throw new UsageError('--plan must be free, starter, pro or business')
    if (values.password !== undefined && values.password.length < 10)
      throw new UsageError('--password must have at least 10 characters')
    return { ...values, role: role?.data, plan: plan?.data, command: positionals[0] }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}

type Arguments = ReturnType<typeof readArguments>

/** What a command cannot do without, said before anything is opened. */
function checkNeeds({ command, email, password, name }: Arguments): void {
  if (command === 'add' && !(email && password && name))
    throw new UsageError('add needs --email, --password and --name')
  if (command === 'set' && !email) throw new UsageError('set needs --email')
  if (email && !parseAddress(email)) throw new UsageError('--email must be an email address')
}

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
    if (passwordHash) await db.deleteFrom('sessions').where('userId', '=', user.id).execute()
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

async function run() {
  const given = readArguments()
  const command = { add, set, list }[given.command as 'add']
  if (!command) throw new UsageError(USAGE)
  checkNeeds(given)
  const database = await openDatabase(loadConfig(), createLog({ logLevel: 'silent' }))
  try {
    await migrate(database.pool)
    await command(database, given)
  } finally {
    await database.close()
  }
}

run().catch((error) => {
  const plain =
    error instanceof UsageError ||
    error instanceof Refusal ||
    error instanceof ConfigError ||
    error instanceof DatabaseStartError
  console.error(plain ? error.message : error)
  process.exitCode = 1
})
