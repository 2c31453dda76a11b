/** What npm run user is given, read and checked before anything of the server is loaded. */
import { parseArgs } from 'node:util'
import { PlanName, Role } from '../contracts/accounts/accounts.ts'
import { parseAddress } from '../contracts/email-address.ts'

const USAGE = `Usage:
  npm run user -- add --email E --password P --name N [--role user|admin] [--plan free|starter|pro|business] [--verified]
  npm run user -- set --email E [--password P] [--name N] [--role …] [--plan …] [--verified]
  npm run user -- list`

/** What is told in one line: a mistake in what was given, or what keeps the command from its work. */
export class UsageError extends Error {}

function parse() {
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

export type Arguments = ReturnType<typeof parse>

/** What a command cannot do without, said before anything is opened. */
function checkNeeds({ command, email, password, name }: Arguments): void {
  if (!command || !['add', 'set', 'list'].includes(command)) throw new UsageError(USAGE)
  if (command === 'add' && !(email && password && name))
    throw new UsageError('add needs --email, --password and --name')
  if (command === 'set' && !email) throw new UsageError('set needs --email')
  if (email && !parseAddress(email)) throw new UsageError('--email must be an email address')
}

/** The command and its options. Throws UsageError. */
export function readArguments(): Arguments {
  const given = parse()
  checkNeeds(given)
  return given
}
