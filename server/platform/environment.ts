/** The environment variables that configure a process. */
import { z } from 'zod'
import { parseAddress } from '#contracts/email-address.ts'
import { parseTrustProxy } from './network.ts'

/** A configuration that cannot be used: one line that names the variable, and in `problems` a line for each one that is wrong. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(message: string, problems: readonly string[] = [message]) {
    super(message)
    this.problems = problems
  }
}

const optional = z
  .string()
  .trim()
  .optional()
  .transform((text) => text || undefined)
const url = (protocols: string[]) =>
  optional.refine(
    (text) => {
      if (text === undefined) return true
      const parsed = URL.parse(text)
      return (
        parsed !== null &&
        protocols.includes(parsed.protocol) &&
        (parsed.hostname !== '' || protocols.includes('postgres:'))
      )
    },
    `must be an address starting with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  )
const http = url(['http:', 'https:'])
const hostPorts = optional
  .transform((text) =>
    (text ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine(
    (parts) => parts.every((part) => /^(\[[0-9a-f:]+\]|[^\s:]+)(:\d{1,5})?$/i.test(part)),
    'must be a list of host:port',
  )

const hostName = optional
  .transform((text) => text?.toLowerCase().replace(/\.$/, ''))
  .refine((text) => text === undefined || /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(text), 'must be a host name')

const NOT_A_PORT = 'must be a port number'
const portNumber = z.coerce.number(NOT_A_PORT).int(NOT_A_PORT).min(0, NOT_A_PORT).max(65_535, NOT_A_PORT)

const NOT_MONTHS = 'must be a number of months, at least 1'

const variables = z.object({
  NODE_ENV: optional,
  PORT: portNumber.default(3000),
  HOST: optional.transform((text) => text ?? '127.0.0.1'),
  PUBLIC_URL: http,
  DATA_DIR: optional.transform((text) => text ?? './data'),
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  DATABASE_DIRECT_URL: url(['postgres:', 'postgresql:']),
  DATABASE_READ_URL: url(['postgres:', 'postgresql:']),
  POSTGRES_BIN: optional,
  DATABASE_BACKEND: z
    .enum(['postgres', 'citus', 'yugabytedb', 'cockroachdb'], 'must be postgres, citus, yugabytedb or cockroachdb')
    .default('postgres'),
  ROLE: z.enum(['all', 'web', 'worker'], 'must be all, web or worker').default('all'),
  SENDING_THREADS: z.enum(['auto', '1', '2'], 'must be auto, 1 or 2').default('auto'),
  SECRET_KEY: optional.refine(
    (text) => text === undefined || Buffer.byteLength(text) >= 32,
    'must have at least 32 characters',
  ),
  SMTP_URL: url(['smtp:', 'smtps:']).refine(
    (text) => !text || [null, 'opportunistic'].includes(URL.parse(text)?.searchParams.get('tls') ?? null),
    'may end with ?tls=opportunistic, and with no other tls',
  ),
  MAIL_FROM: optional
    .transform((text) => text ?? 'Postlark <no-reply@localhost>')
    .refine(
      (text) => !/[\r\n]/.test(text) && parseAddress(/^[^<>]*<([^<>]*)>$/.exec(text)?.[1] ?? text) !== null,
      'must be an address such as Name <name@example.com>',
    ),
  GOOGLE_ISSUER: http,
  GOOGLE_CLIENT_ID: optional,
  GOOGLE_CLIENT_SECRET: optional,
  GMAIL_API_URL: http,
  GMAIL_SMTP_URL: url(['smtp:', 'smtps:']),
  GMAIL_IMAP_URL: url(['imap:', 'imaps:']),
  WHATSAPP_API_URL: http,
  SNS_URL: http,
  STRIPE_SECRET_KEY: optional,
  STRIPE_WEBHOOK_SECRET: optional,
  STRIPE_API_URL: http,
  COLLECTOR_ALLOW_PRIVATE: hostPorts,
  DNS_SERVERS: hostPorts,
  SPF_INCLUDE: hostName,
  RETURN_PATH_HOST: hostName,
  TRACKING_HOST: hostName,
  BOUNCE_SMTP_PORT: portNumber.optional(),
  BOUNCE_SMTP_HOST: optional,
  BOUNCE_SMTP_CERT: optional,
  BOUNCE_SMTP_KEY: optional,
  TRUST_PROXY: optional
    .transform(parseTrustProxy)
    .refine((given) => given !== null, 'must be a number of proxies, or their addresses (CIDR)'),
  METRICS_TOKEN: optional.refine(
    (text) => text === undefined || /^[\x21-\x7e]{16,}$/.test(text),
    'must have at least 16 characters, without spaces',
  ),
  RETENTION_MONTHS: z.coerce.number(NOT_MONTHS).int(NOT_MONTHS).min(1, NOT_MONTHS).max(1_200, NOT_MONTHS).optional(),
  ADMIN_EMAIL: optional.refine((text) => text === undefined || parseAddress(text) !== null, 'must be an email address'),
  ADMIN_PASSWORD: optional.refine(
    (text) => text === undefined || text.length >= 10,
    'must have at least 10 characters',
  ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'must be a pino level such as info')
    .default('info'),
})

/** The names of every environment variable that is read. */
export const VARIABLES = Object.keys(variables.shape)

/** The variables as they are meant, empty ones as missing. Throws ConfigError. */
export function readEnvironment(environment: NodeJS.ProcessEnv) {
  const filled = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = variables.safeParse(filled)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new ConfigError(problems[0] ?? '', problems)
}

export type Environment = ReturnType<typeof readEnvironment>
