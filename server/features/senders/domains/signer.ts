import { parseAddress } from '#contracts/email-address.ts'
import { createSigner, type Signer } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import { UnusableSender } from '../credentials.ts'
import type { SendingAccount } from '../sender-kind.ts'
import { ed25519Selector, openKeys } from './keys.ts'
import { findSigningDomain } from './store.ts'

/**
 * What signs emails from an address: the workspace's nearest domain at or above it whose key is in DNS, with Ed25519 beside RSA
 * where DNS has both. undefined: no domain does, or the service signs by itself. Throws UnusableSender where SECRET_KEY changed.
 */
export async function findSigner(
  { config, db }: { config: Pick<Config, 'secretKey'>; db: Db },
  workspaceId: string,
  account: Pick<SendingAccount, 'signsItself'>,
  fromAddress: string,
): Promise<Signer | undefined> {
  const from = parseAddress(fromAddress)
  if (!from || account.signsItself) return undefined
  const found = await findSigningDomain(db, workspaceId, from.domain)
  if (!found) return undefined
  const { domain, selector } = found
  try {
    const keys = openKeys(config.secretKey, { ...found, workspaceId })
    return createSigner([
      ...(found.ed25519Found
        ? [{ domain, selector: ed25519Selector(selector), algorithm: 'ed25519' as const, privateKey: keys.ed25519 }]
        : []),
      { domain, selector, algorithm: 'rsa', privateKey: keys.rsa },
    ])
  } catch {
    throw new UnusableSender(
      `The DKIM key of ${domain} can no longer be read, because SECRET_KEY changed. Rotate it on the Domains page.`,
    )
  }
}

/** A message with its signatures, for one that leaves alone. */
export async function signWhole(signer: Signer | undefined, message: Buffer): Promise<Buffer> {
  if (!signer) return message
  const { data, ready } = signer.sign(message)
  await ready
  return data
}
