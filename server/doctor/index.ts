/** npm run doctor: looks at an installation, running or not, and changes nothing. */
import { many } from '#server/features/admin/index.ts'
import { runningHost } from '../platform/db/embedded/index.ts'
import type { Check } from './check.ts'
import { checkConfiguration, checkSecretFile } from './configuration.ts'
import { checkDatabase } from './database.ts'
import { checkClock, checkDataFolder, checkDisk } from './machine.ts'
import { checkCertificate, checkDns, checkMail, checkServer } from './network.ts'

export type { Check } from './check.ts'

/** All that is checked, in the order in which one would fix it. */
export async function runDoctor(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const { config, checks } = checkConfiguration(environment)
  if (!config) return checks
  const folder = checkDataFolder(config)
  const isRunning = !config.databaseUrl && runningHost(config.dataDir) !== undefined
  const [database, disk, server, certificate, dns, mail] = await Promise.all([
    folder.state === 'problem'
      ? { checks: [], exists: undefined, ahead: undefined, newest: undefined }
      : checkDatabase(config, isRunning),
    checkDisk(config),
    checkServer(config, isRunning),
    checkCertificate(config),
    checkDns(config),
    checkMail(config),
  ])
  return [
    ...checks,
    // In a folder that cannot be read, a key that is not found tells nothing.
    ...(folder.state === 'problem' ? [] : [checkSecretFile(config, database.exists !== false)]),
    folder,
    disk,
    await checkClock(database.ahead, database.newest),
    ...database.checks,
    server,
    ...certificate,
    dns,
    mail,
  ].map((check) => ({ ...check, text: toLine(check.text), advice: toLine(check.advice) }))
}

/** What a mail server or PostgreSQL said may have several lines. */
const toLine = (text: string) => text.trim().replace(/\s+/g, ' ')

/** "14 checks: 12 ok, 2 warnings." */
export function summarize(checks: Check[]): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length
  const parts = [
    `${count('ok')} ok`,
    ...(['warning', 'problem'] as const).flatMap((state) => (count(state) > 0 ? [many(count(state), state)] : [])),
  ]
  return `${many(checks.length, 'check')}: ${parts.join(', ')}.`
}
