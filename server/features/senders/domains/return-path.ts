import { parseAddress } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { SendingAccount } from '../sender-kind.ts'
import { returnPathName } from './domain-name.ts'
import { findReturningDomain } from './store.ts'

/**
 * The host that emails from an address have their bounces returned to: below the workspace's nearest verified domain at or
 * above it whose record for it is in DNS, so that SPF aligns too. undefined: none has, or the service sets it by itself.
 */
export async function findReturnPath(
  { config, db }: { config: Pick<Config, 'returnPathHost'>; db: Db },
  workspaceId: string,
  account: Pick<SendingAccount, 'signsItself'>,
  fromAddress: string,
): Promise<string | undefined> {
  if (config.returnPathHost === undefined || account.signsItself) return undefined
  const from = parseAddress(fromAddress)
  const domain = from && (await findReturningDomain(db, workspaceId, from.domain))
  return domain ? returnPathName(domain) : undefined
}
