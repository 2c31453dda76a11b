import { type KeyObject, verify } from 'node:crypto'

/** A message of Amazon SNS as it is posted to an HTTP endpoint; anything may be missing or of another type. */
export type SnsMessage = Partial<
  Record<
    | 'Type'
    | 'Message'
    | 'MessageId'
    | 'Subject'
    | 'SubscribeURL'
    | 'Timestamp'
    | 'Token'
    | 'TopicArn'
    | 'Signature'
    | 'SignatureVersion'
    | 'SigningCertURL',
    unknown
  >
>

/** A topic, and the one host that its certificates and confirmations are on. */
export interface SnsTopic {
  arn: string
  host: string
}

const ARN = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+){1,3}-\d):\d{12}:[\w-]{1,256}(?:\.fifo)?$/

/** The topic that an ARN names; undefined: it names none. */
export function readTopic(arn: string): SnsTopic | undefined {
  const [, partition, region] = ARN.exec(arn) ?? []
  if (!region) return undefined
  return { arn, host: `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}` }
}

const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

const HASHES: Record<string, string> = { 1: 'sha1', 2: 'sha256' }

/** Whether a message is signed with a key, by version 1 (SHA-1) or 2 (SHA-256) of SNS. */
export function isSnsSigned(message: SnsMessage, key: KeyObject): boolean {
  const fields = Object.hasOwn(SIGNED, String(message.Type)) ? SIGNED[message.Type as keyof typeof SIGNED] : undefined
  const hash = HASHES[String(message.SignatureVersion)]
  if (!fields || !hash || typeof message.Signature !== 'string') return false
  let text = ''
  for (const field of fields) {
    const value = message[field]
    if (value === undefined && field === 'Subject') continue
    if (typeof value !== 'string') return false
    text += `${field}\n${value}\n`
  }
  return verify(hash, Buffer.from(text), key, Buffer.from(message.Signature, 'base64'))
}
