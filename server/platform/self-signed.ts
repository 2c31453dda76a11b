import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const [SEQUENCE, SET, INTEGER, BITS, OBJECT, TEXT, TIME] = [0x30, 0x31, 2, 3, 6, 12, 24]
const object = (hex: string) => der(OBJECT, Buffer.from(hex, 'hex'))
const ECDSA_SHA256 = der(SEQUENCE, object('2a8648ce3d040302'))
const COMMON_NAME = object('550403')
const SUBJECT_ALT_NAME = object('551d11')

const toTime = (date: Date) => der(TIME, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`))
const toPem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`

/**
 * A new key (P-256) and a certificate for `host` that nobody vouches for, as PEM: mail servers encrypt to each other with such
 * ones (RFC 7435), and check none.
 */
export function createSelfSigned(host: string, years = 10): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(TEXT, Buffer.from(host.slice(0, 64))))))
  const from = new Date(Date.now() - 86_400_000)
  const until = new Date(from)
  until.setUTCFullYear(until.getUTCFullYear() + years)
  const altName = der(SEQUENCE, SUBJECT_ALT_NAME, der(4, der(SEQUENCE, der(0x82, Buffer.from(host)))))
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_SHA256,
    name,
    der(SEQUENCE, toTime(from), toTime(until)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, der(SEQUENCE, altName)),
  )
  const cert = der(SEQUENCE, content, ECDSA_SHA256, der(BITS, Buffer.from([0]), sign('sha256', content, privateKey)))
  return { key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), cert: toPem('CERTIFICATE', cert) }
}
