import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { constants, copyFileSync, linkSync, rmSync, writeFileSync } from 'node:fs'

/** A key for one purpose, derived from SECRET_KEY (HKDF-SHA256), 32 bytes. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'postlark', purpose, 32))
}

/** A random token for a link or a session: 256 bits, base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The hash that is stored of a random token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Whether two secrets are the same, in a time that does not tell where they differ. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

/** Encrypts stored credentials with AES-256-GCM; `context` (which row it belongs to) is authenticated with it. */
export function encrypt(secret: string, plain: string, context: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, 'credentials'), iv).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

/** Decrypts what encrypt() made. Throws when key or context differ, and for any other spelling of the same bytes. */
export function decrypt(secret: string, sealed: string, context: string): string {
  const text = sealed.startsWith('v1.') ? sealed.slice(3) : ''
  const bytes = Buffer.from(text, 'base64url')
  // Decoding skips what does not belong there, such as one character too many.
  if (bytes.toString('base64url') !== text) throw new Error('The sealed text is damaged.')
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret, 'credentials'), bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

const computeMac = (secret: string, purpose: string, body: string) =>
  createHmac('sha256', deriveKey(secret, purpose)).update(body).digest().subarray(0, 16)

/** A text in a link that only we can have made (HMAC-SHA256, 128 bits): readable by anybody, valid for ever and for one purpose. */
export function seal(secret: string, purpose: string, text: string): string {
  const body = Buffer.from(text).toString('base64url')
  return `${body}.${computeMac(secret, purpose, body).toString('base64url')}`
}

/** The text of a sealed token; undefined when it was not made by `seal` for this purpose. */
export function unseal(secret: string, purpose: string, token: string): string | undefined {
  const [body = '', mac = '', ...more] = token.split('.')
  const right = computeMac(secret, purpose, body).toString('base64url')
  if (more.length > 0 || !isSame(mac, right)) return undefined
  return Buffer.from(body, 'base64url').toString()
}

/** Makes the file with a new secret, whole or not at all: another process may start at this moment, and the power may fail. */
export function generateSecret(file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Some file systems have no links.
    if (code !== 'EEXIST') copyFileSync(draft, file, constants.COPYFILE_EXCL)
  } finally {
    rmSync(draft, { force: true })
  }
}
