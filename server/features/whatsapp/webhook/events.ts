/** What a webhook says, read from Meta's shapes without trusting any of them: what does not fit is skipped. */

import { isObject, type Json, toObjects } from '../raw-json.ts'

/** Further along is larger. A message that was read was delivered; failing on one device does not undo it on another. */
export const STATUS_RANK = {
  queued: 0,
  unconfirmed: 1,
  accepted: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6,
} as const

export interface StatusEvent {
  wamid: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  at: Date
  /** Our own id of the message, as we gave it to Meta. */
  callback: string
  person: string
  code: number | null
  details: string
  billable: boolean | null
  category: string | null
}

export interface InboundEvent {
  wamid: string
  waId: string | null
  bsuid: string | null
  name: string
  at: Date
  kind: string
  text: string
  /** What a tapped button carries. */
  payload: string
  /** The message of ours it replies to. */
  repliesTo: string
  media: { id: string; mimeType: string; fileName: string } | null
  /** Only what a person said opens the window; that their number changed does not. */
  isPerson: boolean
}

export interface PreferenceEvent {
  /** wa_id, or the scoped id where there is none. */
  person: string
  value: 'stop' | 'resume'
  at: Date
}

export interface TemplateEvent {
  metaId: string
  name: string
  language: string
  status: string
  reason: string
}

export interface QualityEvent {
  name: string
  language: string
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality: string
}

export interface NumberEvent {
  field: string
  value: Json
}

export interface HookEvents {
  statuses: StatusEvent[]
  inbound: InboundEvent[]
  preferences: PreferenceEvent[]
  templates: TemplateEvent[]
  qualities: QualityEvent[]
  numbers: NumberEvent[]
}

const toObject = (value: unknown): Json => (isObject(value) ? value : {})
const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Seconds since 1970, as text or number; now where it is neither, and never ahead of now. */
function toTime(value: unknown): Date {
  const seconds = Number(toText(value))
  const now = Date.now()
  return new Date(Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, now) : now)
}

/** An error code as an int4; 0 where Meta sends something else, which would fail every status beside it. */
function storableCode(value: unknown): number {
  const code = Number(value)
  return Number.isInteger(code) && Math.abs(code) < 2 ** 31 ? code : 0
}

const WORDS = new Set(['sent', 'delivered', 'read', 'failed', 'played'])

function parseStatusEvent(raw: Json): StatusEvent | undefined {
  const word = toText(raw.status)
  const wamid = toText(raw.id)
  if (!WORDS.has(word) || wamid === '') return undefined
  const [error] = toObjects(raw.errors)
  const pricing = toObject(raw.pricing)
  return {
    wamid,
    // A sound that was played was read.
    status: word === 'played' ? 'read' : (word as StatusEvent['status']),
    at: toTime(raw.timestamp),
    callback: toText(raw.biz_opaque_callback_data),
    person: toText(raw.recipient_id) || toText(raw.recipient_user_id),
    code: error ? storableCode(error.code) : null,
    details: toText(toObject(error?.error_data).details) || toText(error?.title),
    billable: typeof pricing.billable === 'boolean' ? pricing.billable : null,
    category: toText(pricing.category) || null,
  }
}

const MEDIA = new Set(['image', 'video', 'audio', 'document', 'sticker'])
const KNOWN = new Set([...MEDIA, 'text', 'button', 'interactive', 'reaction', 'location', 'contacts', 'system'])

/** The words of a message, as a person would read them. */
function readMessageText(kind: string, part: Json): { text: string; payload: string } {
  switch (kind) {
    case 'text':
      return { text: toText(part.body), payload: '' }
    case 'button':
      return { text: toText(part.text), payload: toText(part.payload) }
    case 'interactive': {
      const reply = toObject(part.button_reply ?? part.list_reply)
      return { text: toText(reply.title), payload: toText(reply.id) }
    }
    case 'reaction':
      return { text: toText(part.emoji), payload: '' }
    case 'location':
      return {
        text: [part.name, part.address, `${part.latitude}, ${part.longitude}`].map(toText).filter(Boolean).join(', '),
        payload: '',
      }
    case 'system':
      return { text: toText(part.body), payload: '' }
    default:
      return { text: toText(part.caption), payload: '' }
  }
}

function parseInboundEvent(raw: Json, contacts: Json[]): InboundEvent | undefined {
  const wamid = toText(raw.id)
  const waId = toText(raw.from) || null
  const bsuid = toText(raw.from_user_id) || null
  if (wamid === '' || (waId === null && bsuid === null)) return undefined
  const type = toText(raw.type)
  const part = toObject(raw[type])
  const contact = contacts.find((one) => toText(one.wa_id) === waId || (bsuid && toText(one.user_id) === bsuid))
  const profile = toObject(contact?.profile)
  const { text, payload } = readMessageText(type, part)
  return {
    wamid,
    waId,
    bsuid: bsuid ?? (toText(contact?.user_id) || null),
    name: (toText(profile.name) || toText(profile.username)).slice(0, 200),
    at: toTime(raw.timestamp),
    kind: KNOWN.has(type) ? type : 'unsupported',
    text: text.slice(0, 10_000),
    payload: payload.slice(0, 1_000),
    repliesTo: toText(toObject(raw.context).id),
    media: MEDIA.has(type)
      ? { id: toText(part.id), mimeType: toText(part.mime_type), fileName: toText(part.filename).slice(0, 240) }
      : null,
    isPerson: type !== 'system',
  }
}

function parsePreferenceEvent(raw: Json): PreferenceEvent | undefined {
  const person = toText(raw.wa_id) || toText(raw.user_id)
  const value = toText(raw.value)
  if (person === '' || (value !== 'stop' && value !== 'resume')) return undefined
  return { person, value, at: toTime(raw.timestamp) }
}

function parseTemplateEvent(value: Json): TemplateEvent | undefined {
  const name = toText(value.message_template_name)
  const status = toText(value.event).toUpperCase()
  if (name === '' || status === '') return undefined
  const reason = toText(value.reason)
  const why = toObject(value.rejection_info)
  const said = [toText(why.reason), toText(why.recommendation)].filter(Boolean).join(' ')
  return {
    metaId: toText(value.message_template_id),
    name,
    language: toText(value.message_template_language),
    status,
    reason: (said || (reason === 'NONE' ? '' : reason)).slice(0, 1_000),
  }
}

/** Reads the changes of webhooks, in their order. */
export function readChanges(changes: unknown[]): HookEvents {
  const events: HookEvents = { statuses: [], inbound: [], preferences: [], templates: [], qualities: [], numbers: [] }
  for (const change of toObjects(changes)) {
    const value = toObject(change.value)
    const field = toText(change.field)
    if (field === 'messages') {
      const contacts = toObjects(value.contacts)
      events.statuses.push(...toObjects(value.statuses).flatMap((raw) => parseStatusEvent(raw) ?? []))
      events.inbound.push(...toObjects(value.messages).flatMap((raw) => parseInboundEvent(raw, contacts) ?? []))
    } else if (field === 'user_preferences') {
      events.preferences.push(...toObjects(value.user_preferences).flatMap((raw) => parsePreferenceEvent(raw) ?? []))
    } else if (field === 'message_template_status_update') {
      events.templates.push(...(parseTemplateEvent(value) ? [parseTemplateEvent(value) as TemplateEvent] : []))
    } else if (field === 'message_template_quality_update') {
      const [name, language] = [toText(value.message_template_name), toText(value.message_template_language)]
      if (name !== '') events.qualities.push({ name, language, quality: toText(value.new_quality_score) })
    } else events.numbers.push({ field, value })
  }
  return events
}

/** What is known of one message after all its statuses, whatever order they came in. Merging is commutative and idempotent. */
export interface MergedStatus extends Omit<StatusEvent, 'status' | 'at'> {
  status: StatusEvent['status']
  sentAt: Date | null
  deliveredAt: Date | null
  readAt: Date | null
  failedAt: Date | null
}

const earlier = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b))

/** One status as merged knowledge. */
export function knownFrom({ at, ...event }: StatusEvent): MergedStatus {
  return {
    ...event,
    sentAt: event.status === 'sent' ? at : null,
    deliveredAt: event.status === 'delivered' ? at : null,
    readAt: event.status === 'read' ? at : null,
    failedAt: event.status === 'failed' ? at : null,
  }
}

/** Two pieces of knowledge of the same message as one: the further status, the earliest time of each. */
export function mergeStatus(a: MergedStatus, b: MergedStatus): MergedStatus {
  const [further, other] = STATUS_RANK[a.status] >= STATUS_RANK[b.status] ? [a, b] : [b, a]
  return {
    ...further,
    callback: further.callback || other.callback,
    person: further.person || other.person,
    code: further.code ?? other.code,
    details: further.details || other.details,
    billable: further.billable ?? other.billable,
    category: further.category ?? other.category,
    sentAt: earlier(a.sentAt, b.sentAt),
    deliveredAt: earlier(a.deliveredAt, b.deliveredAt),
    readAt: earlier(a.readAt, b.readAt),
    failedAt: earlier(a.failedAt, b.failedAt),
  }
}

/** The statuses of one batch, each message once. */
export function mergeAll(events: StatusEvent[]): MergedStatus[] {
  const known = new Map<string, MergedStatus>()
  for (const event of events) {
    const before = known.get(event.wamid)
    known.set(event.wamid, before ? mergeStatus(before, knownFrom(event)) : knownFrom(event))
  }
  return [...known.values()]
}
