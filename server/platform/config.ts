import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { generateSecret } from './crypto.ts'
import { isLookalike, refuseLookalike } from './db/supported/index.ts'
import { ConfigError, type Environment, readEnvironment } from './environment.ts'

/** Where programs are looked for. */
export const searchPath = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'

/** The secret that signs tokens and encrypts credentials: given, or that of the data folder; '' before the first start. */
function readSecret(dataDir: string, given: string | undefined, production: boolean) {
  if (given) return { secretKey: given, secretKeyFile: undefined }
  if (production) throw new ConfigError('SECRET_KEY is required in production: at least 32 random characters')
  const file = join(dataDir, 'secret.key')
  if (!existsSync(file)) return { secretKey: '', secretKeyFile: file }
  const secretKey = readSecretFile(file)
  if (Buffer.byteLength(secretKey) < 32)
    throw new ConfigError(`SECRET_KEY is missing, and ${file} holds less than 32 characters`)
  return { secretKey, secretKeyFile: file }
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`SECRET_KEY is missing, and ${file} cannot be read: ${(error as Error).message}`)
  }
}

function makeFolder(variable: string, path: string, mode: number): void {
  try {
    mkdirSync(path, { recursive: true, mode })
  } catch (error) {
    throw new ConfigError(`${variable} ${path} cannot be made: ${(error as Error).message}`)
  }
}

/** The data folder of a DATA_DIR, made where it is missing. Throws ConfigError. */
export function dataFolder(path: string): string {
  const dataDir = resolve(path)
  // Others on this machine have no business in it. As root, PostgreSQL may run as another user, who passes through.
  makeFolder('DATA_DIR', dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  return dataDir
}

/** Whether the host of an address is this machine. */
export const isLoopback = (address: string) =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)

/** Google's own address, used when only the client's id and secret are given. */
export const GOOGLE = 'https://accounts.google.com'

/** Where people sign in with Google. undefined: the emulator, and in production not at all. */
function readGoogleSettings(env: Environment, production: boolean) {
  const { GOOGLE_ISSUER: issuer = GOOGLE, GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = env
  if (!env.GOOGLE_ISSUER && !clientId && !clientSecret) return undefined
  if (!clientId || !clientSecret)
    throw new ConfigError(
      `${clientId ? 'GOOGLE_CLIENT_SECRET' : 'GOOGLE_CLIENT_ID'} is missing: signing in with Google needs both`,
    )
  if (production && new URL(issuer).protocol === 'http:' && !isLoopback(issuer))
    throw new ConfigError('GOOGLE_ISSUER must start with https:// in production')
  return { issuer, clientId, clientSecret }
}

/** The base of the Graph API, with its version and without a slash at the end. */
function readWhatsAppUrl(given: string | undefined): string | undefined {
  if (given !== undefined && !/\/v\d+\.\d+\/?$/.test(given))
    throw new ConfigError('WHATSAPP_API_URL must end with the version, such as https://graph.facebook.com/v25.0')
  return given?.replace(/(?<!\/)\/+$/, '')
}

/** Stripe's own address, used when only the keys are given. */
const STRIPE = 'https://api.stripe.com'

/** Where payments go. undefined: the emulator, and in production nowhere. */
function readStripeSettings(env: Environment, production: boolean) {
  const { STRIPE_API_URL: apiUrl = STRIPE, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env
  if (!env.STRIPE_API_URL && !secretKey && !webhookSecret) return undefined
  if (!secretKey || !webhookSecret)
    throw new ConfigError(`${secretKey ? 'STRIPE_WEBHOOK_SECRET' : 'STRIPE_SECRET_KEY'} is missing: payments need both`)
  if (production && new URL(apiUrl).protocol === 'http:' && !isLoopback(apiUrl))
    throw new ConfigError('STRIPE_API_URL must start with https:// in production')
  return { apiUrl, secretKey, webhookSecret }
}

/**
 * Where links lead to while email and DNS are the sandbox's: every browser takes a name under .localhost to the machine it runs on.
 * undefined: there is no sandbox, or the product is used from another machine.
 */
function findSandboxHost(env: Environment, production: boolean): string | undefined {
  if (production || env.SMTP_URL || env.DNS_SERVERS.length > 0) return undefined
  return env.PUBLIC_URL === undefined || isLoopback(env.PUBLIC_URL) ? 'links.localhost' : undefined
}

function readBackend({ DATABASE_BACKEND: backend }: Environment): 'postgres' | 'citus' {
  if (!isLookalike(backend)) return backend
  const { problem, advice } = refuseLookalike(backend)
  throw new ConfigError(`DATABASE_BACKEND ${backend}: ${problem} ${advice}`)
}

/** The validated configuration, without a change to anything: `secretKey` is '' before the first start. Throws ConfigError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const env = readEnvironment(environment)
  const production = env.NODE_ENV === 'production'
  if (env.ROLE !== 'all' && !env.DATABASE_URL) {
    throw new ConfigError(`ROLE ${env.ROLE} needs DATABASE_URL: the embedded database serves one process`)
  }
  const databaseBackend = readBackend(env)
  if (databaseBackend !== 'postgres' && !env.DATABASE_URL)
    throw new ConfigError(`DATABASE_BACKEND ${env.DATABASE_BACKEND} needs DATABASE_URL`)
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const)
    if (env[name] && !env.DATABASE_URL) throw new ConfigError(`${name} needs DATABASE_URL`)
  if (Boolean(env.ADMIN_EMAIL) !== Boolean(env.ADMIN_PASSWORD)) {
    throw new ConfigError(
      `${env.ADMIN_EMAIL ? 'ADMIN_PASSWORD' : 'ADMIN_EMAIL'} is missing: the first admin needs both`,
    )
  }
  const dataDir = resolve(env.DATA_DIR)
  return {
    production,
    port: env.PORT,
    host: env.HOST,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/(?<!\/)\/+$/, ''),
    dataDir,
    databaseUrl: env.DATABASE_URL,
    /** The same database without a pooler in between, for what needs a session of its own. undefined: DATABASE_URL is that. */
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    /** A streaming replica of it, for reports and exports. undefined: there is none. */
    databaseReadUrl: env.DATABASE_READ_URL,
    /** Folder of another installation's initdb and postgres, for the embedded database. */
    postgresBin: env.POSTGRES_BIN && resolve(env.POSTGRES_BIN),
    databaseBackend,
    role: env.ROLE,
    /** How many sending threads a process has; auto: a second one while it helps. */
    sendingThreads: env.SENDING_THREADS,
    ...readSecret(dataDir, env.SECRET_KEY, production),
    /** undefined: the sandbox, or in production an unconfigured channel. */
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    /** undefined: the sandbox, or in production not offered. */
    google: readGoogleSettings(env, production),
    /** Base of the Graph API with its version. undefined: the emulator, or in production no WhatsApp. */
    whatsappApiUrl: readWhatsAppUrl(env.WHATSAPP_API_URL),
    /** An emulator of Amazon SNS, which serves its certificates and takes confirmations. undefined: SNS itself. */
    snsUrl: env.SNS_URL,
    /** undefined: the sandbox, or in production not offered. No slash at the end. */
    gmailApiUrl: env.GMAIL_API_URL?.replace(/(?<!\/)\/+$/, ''),
    /** undefined: smtp.gmail.com and imap.gmail.com, or beside the emulator for the API those for them. */
    gmailSmtpUrl: env.GMAIL_SMTP_URL,
    gmailImapUrl: env.GMAIL_IMAP_URL,
    /** undefined: the sandbox, or in production no payments. */
    stripe: readStripeSettings(env, production),
    dnsServers: env.DNS_SERVERS,
    /** What the SPF records of customers' domains include for the mail server of SMTP_URL; undefined: the address of that server. */
    spfInclude: env.SPF_INCLUDE,
    /** Where names of customers' domains for bounces and for links lead to. undefined: their domains need none. */
    returnPathHost: env.RETURN_PATH_HOST,
    trackingHost: env.TRACKING_HOST ?? findSandboxHost(env, production),
    bounceSmtp: readBounceSmtp(env),
    /** host:port list that may be reached although private: one allow-list for the collector, and for mail servers on this machine or intranet. */
    allowPrivate: env.COLLECTOR_ALLOW_PRIVATE,
    /** How many proxies stand before us, or their addresses (CIDR, comma-separated); true believes every forwarded header. */
    trustProxy: env.TRUST_PROXY ?? undefined,
    /** The bearer token by which a monitoring system reads /metrics. undefined: there is none. */
    metricsToken: env.METRICS_TOKEN,
    retentionMonths: env.RETENTION_MONTHS,
    /** Somebody else can reach it, and yet it runs with fakes of outside services. */
    isExposed: !production && env.PUBLIC_URL !== undefined && !isLoopback(env.PUBLIC_URL),
    admin: env.ADMIN_EMAIL && env.ADMIN_PASSWORD ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD } : undefined,
    logLevel: env.LOG_LEVEL,
  }
}

/**
 * The validated configuration, with the data folder and, unless it is given, the secret key made where they are missing.
 * Throws ConfigError with one line that names the variable.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env) {
  const config = readConfig(environment)
  dataFolder(config.dataDir)
  // It may be a folder of an empty volume.
  makeFolder('TMPDIR', tmpdir(), 0o700)
  if (config.secretKey || !config.secretKeyFile) return config
  generateSecret(config.secretKeyFile)
  return { ...config, secretKey: readSecretFile(config.secretKeyFile) }
}

/** Where bounces are listened for, with the files of a certificate. undefined: nowhere. */
function readBounceSmtp(env: Environment) {
  const { BOUNCE_SMTP_PORT: port, BOUNCE_SMTP_HOST, BOUNCE_SMTP_CERT: certFile, BOUNCE_SMTP_KEY: keyFile } = env
  if (Boolean(certFile) !== Boolean(keyFile))
    throw new ConfigError(`${certFile ? 'BOUNCE_SMTP_KEY' : 'BOUNCE_SMTP_CERT'} is missing: a certificate needs both`)
  return port === undefined ? undefined : { port, host: BOUNCE_SMTP_HOST ?? env.HOST, certFile, keyFile }
}

export type Config = ReturnType<typeof loadConfig>
