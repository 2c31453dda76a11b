import { createHash, createPrivateKey, type KeyObject, sign as signBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Message } from '../types.ts'
import { canonicalBody, canonicalField, readFields } from './canonical.ts'

/** What a domain signs with, as a PEM of PKCS #8, and the selector under which DNS has its other half. */
export interface SigningKey {
  domain: string
  selector: string
  algorithm: 'rsa' | 'ed25519'
  privateKey: string
}

/** Adds DKIM signatures (RFC 6376; Ed25519 by RFC 8463) to messages. */
export interface Signer {
  /**
   * The message with room for its signatures, whose size is final. They are made in threads beside this one, and stand in it
   * once `ready` resolves.
   */
  sign(message: Buffer, now?: Date): { data: Buffer; ready: Promise<void> }
}

// In a thread of libuv's pool: an RSA signature takes about as long as everything else that is done for a message.
const signInPool = promisify<string | null, Buffer, KeyObject, Buffer>(signBytes)

/** Fields that are signed where a message has them. */
const SIGNED = [
  'from',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
  'auto-submitted',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]
/** Signed once more than they occur: a second one that is added on the way breaks the signature. */
const OVERSIGNED = ['from', 'subject', 'to', 'date', 'reply-to', 'content-type']

const END_OF_HEAD = '\r\n\r\n'
const LINE = 72

/** A text in lines that fit a header, each begun by a tab. */
const foldBase64 = (text: string) => text.replace(new RegExp(`.{${LINE}}(?=.)`, 'g'), '$&\r\n\t')

/** Names joined by colons, in lines of at most 76 characters. */
function foldNames(names: readonly string[]): string {
  let line = 0
  return names
    .map((name, at) => {
      line += name.length + 1
      if (at === 0 || line <= LINE) return name
      line = name.length + 1
      return `\r\n\t${name}`
    })
    .join(':')
}

interface OpenKey extends Omit<SigningKey, 'privateKey'> {
  key: KeyObject
  /** Characters of a signature in Base64. */
  length: number
}

function openKey({ privateKey, ...rest }: SigningKey): OpenKey {
  const key = createPrivateKey(privateKey)
  const bytes = rest.algorithm === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8 : 64
  return { ...rest, key, length: Math.ceil(bytes / 3) * 4 }
}

/** What signs with these keys, one signature each. Throws where a key cannot be read. */
export function createSigner(keys: readonly SigningKey[]): Signer {
  const opened = keys.map(openKey)
  return {
    sign(message, now = new Date()) {
      const split = message.indexOf(END_OF_HEAD)
      const head = message.subarray(0, split === -1 ? message.length : split).toString('latin1')
      const body = split === -1 ? Buffer.alloc(0) : message.subarray(split + END_OF_HEAD.length)
      const { names, text } = chooseFields(head)
      const bodyHash = createHash('sha256').update(canonicalBody(body)).digest('base64')
      const seconds = Math.floor(now.getTime() / 1_000)
      const drafts = opened.map((key) => draftSignature(key, { names, text, bodyHash, seconds }))
      const room = drafts.reduce((sum, { length }) => sum + length, 0)
      const data = Buffer.allocUnsafe(room + message.length)
      message.copy(data, room)
      return { data, ready: fill(data, drafts) }
    },
  }
}

/** The names that are signed, and their fields as they are hashed. */
function chooseFields(head: string): { names: string[]; text: string } {
  const fields = readFields(head)
  const names: string[] = []
  let text = ''
  for (const name of SIGNED) {
    // Of a field that occurs again the last one comes first (RFC 6376, 5.4.2).
    for (const field of fields.filter((one) => one.name === name).reverse()) {
      names.push(name)
      text += `${field.canonical}\r\n`
    }
    if (OVERSIGNED.includes(name)) names.push(name)
  }
  return { names, text }
}

/** A signature whose length is known before it is made. */
interface Draft {
  length: number
  make(): Promise<string>
}

function draftSignature(
  { key, algorithm, domain, selector, length }: OpenKey,
  { names, text, bodyHash, seconds }: { names: string[]; text: string; bodyHash: string; seconds: number },
): Draft {
  const value = `v=1; a=${algorithm}-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};\r\n\tt=${seconds}; bh=${bodyHash};\r\n\th=${foldNames(names)};\r\n\tb=`
  const hashed = Buffer.from(text + canonicalField('DKIM-Signature', value), 'latin1')
  const write = (signature: string) => `DKIM-Signature: ${value}${foldBase64(signature)}\r\n`
  return {
    length: write('x'.repeat(length)).length,
    async make() {
      // Ed25519 signs the hash (RFC 8463, 3), RSA hashes by itself.
      const signature =
        algorithm === 'rsa'
          ? await signInPool('sha256', hashed, key)
          : await signInPool(null, createHash('sha256').update(hashed).digest(), key)
      return write(signature.toString('base64'))
    },
  }
}

async function fill(data: Buffer, drafts: readonly Draft[]): Promise<void> {
  const made = await Promise.all(drafts.map(({ make }) => make()))
  data.write(made.join(''), 0, 'latin1')
}

/** A message with its signature on the way. */
export function withSignature(signer: Signer, message: Message): Message {
  const { data, ready } = signer.sign(message.data)
  // Should the message not leave after all, nobody else hears of a failure.
  ready.catch(() => undefined)
  return { ...message, data, ready }
}
