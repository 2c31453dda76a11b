/** The environment variables and the secret key, read without making anything. */
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { parseEnv } from 'node:util'
import { type Config, isLoopback, readConfig } from '../platform/config.ts'
import { ConfigError, VARIABLES } from '../platform/environment.ts'
import { VERSION } from '../version.ts'
import { type Check, ok, problem, warning } from './check.ts'

const NAME = 'Configuration'
const DOCUMENT = 'docs/configuration.md'

/** What this version reads, or a list of what is wrong with it. */
export function checkConfiguration(environment: NodeJS.ProcessEnv): { config?: Config; checks: Check[] } {
  try {
    const config = readConfig(environment)
    const given = VARIABLES.filter((name) => environment[name])
    const text =
      given.length > 0 ? `Valid: ${given.join(', ')}.` : 'Valid: no variable is set, so all have their defaults.'
    const version = ok('Version', `Postlark ${VERSION} on Node ${process.version}, role ${config.role}.`)
    const rest = [...checkEnvFile(environment), ...checkMode(config), ...checkBounceCertificate(config)]
    return { config, checks: [version, ok(NAME, text), ...rest] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const checks = error.problems.map((text) => problem(NAME, `${text}.`, `Correct it: ${DOCUMENT}.`))
    return {
      checks: [...checks, warning('Other checks', 'Not run.', 'They need a valid configuration. Run this again.')],
    }
  }
}

/** A file that was written and is read by nobody: the server takes variables from its environment alone. */
function checkEnvFile(environment: NodeJS.ProcessEnv): Check[] {
  if (!existsSync('.env')) return []
  let values: NodeJS.Dict<string>
  try {
    values = parseEnv(readFileSync('.env', 'utf8'))
  } catch (error) {
    return [warning('.env', `It cannot be read: ${(error as Error).message}.`, 'Check its owner and mode.')]
  }
  const unread = VARIABLES.filter((name) => values[name] && environment[name] !== values[name])
  if (unread.length === 0) return []
  return [
    warning(
      '.env',
      `The environment has other values for ${unread.join(', ')}.`,
      'The file is not read by itself: set -a; . ./.env; set +a',
    ),
  ]
}

function checkMode({ production, isExposed, publicUrl, smtpUrl, trustProxy }: Config): Check[] {
  const url = new URL(publicUrl)
  const name = 'PUBLIC_URL'
  if (isExposed)
    return [
      warning(
        'Mode',
        'This is not production mode: outside services that are not configured are fakes on this machine.',
        'Set NODE_ENV=production.',
      ),
    ]
  if (!production) return []
  if (isLoopback(publicUrl))
    return smtpUrl && !isLoopback(smtpUrl.replace(/^smtps?:/, 'http:'))
      ? [
          problem(
            name,
            `Links in emails lead to ${publicUrl}, which nobody else can open.`,
            'Set PUBLIC_URL to the address that people use.',
          ),
        ]
      : []
  if (url.protocol === 'http:')
    return [
      warning(
        name,
        `${publicUrl} is not encrypted: passwords and links can be read on their way.`,
        'Put a proxy with TLS in front, and set PUBLIC_URL to https://.',
      ),
    ]
  return trustProxy === undefined
    ? [
        warning(
          'TRUST_PROXY',
          'It is not set, but HTTPS needs a proxy, whose address then counts as that of every visitor.',
          'Set TRUST_PROXY to the number of proxies in front of the server.',
        ),
      ]
    : []
}

/** The certificate with which returned bounces are received: a server does not start with files that cannot be read. */
function checkBounceCertificate({ bounceSmtp }: Config): Check[] {
  const { certFile, keyFile } = bounceSmtp ?? {}
  if (!certFile || !keyFile) return []
  const name = 'BOUNCE_SMTP_CERT'
  try {
    const cert = readFileSync(certFile)
    createSecureContext({ cert, key: readFileSync(keyFile) })
    const { validTo } = new X509Certificate(cert)
    return new Date(validTo) < new Date()
      ? [warning(name, `The certificate ended on ${validTo}.`, 'Renew it.')]
      : [ok(name, `Valid until ${validTo}.`)]
  } catch (error) {
    const text = `The certificate and its key cannot be used: ${(error as Error).message}.`
    return [problem(name, text, 'Correct BOUNCE_SMTP_CERT and BOUNCE_SMTP_KEY.')]
  }
}

/** The file of a generated key: there once the database is, and readable by its owner only. */
export function checkSecretFile({ secretKey, secretKeyFile }: Config, hasDatabase: boolean): Check {
  const name = 'Secret key'
  if (!secretKeyFile) return ok(name, 'Set in the environment.')
  if (!secretKey)
    return hasDatabase
      ? problem(
          name,
          `${secretKeyFile} is missing.`,
          'Restore it from a backup. A new one cannot read stored credentials, and the server would not start with it.',
        )
      : ok(name, 'None yet. The first start generates one.')
  const isOpen = (statSync(secretKeyFile).mode & 0o077) !== 0
  return isOpen
    ? warning(name, `Other users of this machine can read ${secretKeyFile}.`, `chmod 600 ${secretKeyFile}`)
    : ok(name, `Generated, in ${secretKeyFile}.`)
}
