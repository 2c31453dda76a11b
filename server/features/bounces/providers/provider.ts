import type { IncomingHttpHeaders } from 'node:http'
import { type BounceClass, classify, cleanResponse } from '#server/engine/index.ts'
import type { Services } from '#server/services.ts'

/** A webhook request as it came. */
export interface WebhookRequest {
  headers: IncomingHttpHeaders
  raw: Buffer
  now: Date
}

/** What a service says of one email. */
export interface ProviderEvent {
  /** What the service calls the event: the same when it comes again. */
  key: string
  kind: 'bounce' | 'complaint' | 'opt_out'
  /** Texts in which our mark of the message is looked for. */
  marks: string[]
  recipient: string | null
  /** Where a request has thousands of events, found once it is asked for: that takes up to a millisecond. */
  readonly class: BounceClass
  response: string
  at: Date
}

export type ProviderServices = Pick<Services, 'config'>

/** A service that reports bounces by webhook. */
export interface Provider {
  /** Whether requests are signed with a key that is made here. */
  makesSecret: boolean
  /** Why a key cannot be one of the service's; undefined: it may be. */
  refuseKey?(key: string): string | undefined
  /** Whether the request was signed with the key of the source. */
  isSigned(request: WebhookRequest, key: string, services: ProviderServices): boolean | Promise<boolean>
  /** What a request that is signed asks for before its events are read. */
  prepare?(body: unknown, key: string, services: ProviderServices): Promise<void>
  /** The events of a request that is signed; only bounces, complaints and unsubscribes. */
  read(body: unknown): ProviderEvent[]
}

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
export const toObjects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The object in a request's JSON, without a field where it is none. Throws SyntaxError. */
export function parseObject(raw: Buffer): Json {
  const body: unknown = JSON.parse(raw.toString('utf8'))
  return isObject(body) ? body : {}
}

/** More seconds than these are milliseconds: they would be after the year 5000. */
const MAX_SECONDS = 1e11
const DAY_MS = 86_400_000
const FIRST_MS = Date.UTC(2000, 0)

/** A moment in Unix seconds or milliseconds, or as ISO text; of what is none that a bounce can have, now. */
export function toDate(value: unknown): Date {
  const number = Number(value)
  const isNumber = Number.isFinite(number) && number > 0
  const date = new Date(isNumber ? (number > MAX_SECONDS ? number : number * 1_000) : toText(value))
  const at = date.getTime()
  return at >= FIRST_MS && at <= Date.now() + DAY_MS ? date : new Date()
}

/**
 * The class of a final refusal. The words of the mail server decide; what they leave open the service decides:
 * `gone` says that the address does not exist, `passing` that the error passes.
 */
export function judge(words: string, service: { gone?: boolean; passing?: boolean } = {}): BounceClass {
  const code = Number(/(?<![\d.])([45]\d\d)(?![\d.])/.exec(words)?.[1] ?? (service.passing ? 450 : 550))
  const own = classify(code, words.slice(0, 2_000)).class ?? 'soft'
  if (own === 'soft' && service.gone && !/full|quota|greylist|timed? ?out/i.test(words)) return 'hard'
  return own === 'hard' && service.passing ? 'soft' : own
}

/** The words of a server as they are stored and shown. */
export const toResponse = (words: string): string => cleanResponse(words) || 'The service gave no reason.'
