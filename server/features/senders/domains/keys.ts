import { createPublicKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { decrypt, encrypt } from '#server/platform/crypto.ts'

const generate = promisify(generateKeyPair)

/** A new pair of DKIM keys as it is stored: public parts as they stand in DNS (p=), private ones sealed. */
export interface SealedKeys {
  selector: string
  rsaPublic: string
  rsaPrivateEncrypted: string
  ed25519Public: string
  ed25519PrivateEncrypted: string
}

/** What a sealed private key is bound to: it opens for the domain and selector it was made for only. */
const keyContext = (workspaceId: string, domain: string, selector: string, algorithm: string) =>
  `dkim:${workspaceId}:${domain}:${selector}:${algorithm}`

const privatePem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string

/** The last 32 bytes of the encoded key, which is all that DNS has of it (RFC 8463). */
const rawEd25519 = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')

/** Generates a pair of RSA (2048 bits) and of Ed25519 under a selector that nobody can guess. */
export async function generateKeys(secretKey: string, workspaceId: string, domain: string): Promise<SealedKeys> {
  const [rsa, ed25519] = await Promise.all([generate('rsa', { modulusLength: 2048 }), generate('ed25519')])
  const selector = `pl${randomBytes(6).toString('hex')}`
  const seal = (key: KeyObject, algorithm: string) =>
    encrypt(secretKey, privatePem(key), keyContext(workspaceId, domain, selector, algorithm))
  return {
    selector,
    rsaPublic: createPublicKey(rsa.privateKey).export({ type: 'spki', format: 'der' }).toString('base64'),
    rsaPrivateEncrypted: seal(rsa.privateKey, 'rsa'),
    ed25519Public: rawEd25519(ed25519.publicKey),
    ed25519PrivateEncrypted: seal(ed25519.privateKey, 'ed25519'),
  }
}

/** The private keys of a row, in PEM. Throws where SECRET_KEY changed. */
export function openKeys(
  secretKey: string,
  row: Pick<SealedKeys, 'selector' | 'rsaPrivateEncrypted' | 'ed25519PrivateEncrypted'> & {
    workspaceId: string
    domain: string
  },
): { rsa: string; ed25519: string } {
  const open = (sealed: string, algorithm: string) =>
    decrypt(secretKey, sealed, keyContext(row.workspaceId, row.domain, row.selector, algorithm))
  return { rsa: open(row.rsaPrivateEncrypted, 'rsa'), ed25519: open(row.ed25519PrivateEncrypted, 'ed25519') }
}

/** The selector of the Ed25519 key beside an RSA one. */
export const ed25519Selector = (selector: string): string => `${selector}e`
