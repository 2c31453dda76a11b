/** What a filter means, over plain objects: what its SQL is compared with. */
import { type Condition, type ContactFilter, isGroup } from '#contracts/contacts/conditions.ts'

const DAY_MS = 86_400_000

export interface PlainMessage {
  campaignId: string
  sentAt: Date | null
  isBounced: boolean
  repliedAt: Date | null
  events: { kind: 'open' | 'click'; at: Date; isHuman: boolean; url?: string }[]
}

export interface PlainContact {
  email: string | null
  phone: string | null
  name: string
  source: string
  createdAt: Date
  attributes: Record<string, string | number | boolean>
  lists: Record<string, 'confirmed' | 'pending' | 'unsubscribed'>
  /** Since when it stands so, by list. */
  since: Record<string, Date>
  tags: string[]
  /** The reason its email address is suppressed for. */
  suppressed: string | null
  messages: PlainMessage[]
  /** What they did elsewhere. */
  events: { name: string; at: Date }[]
}

function matchText(text: string, is: string, value: string): boolean {
  const [whole, part] = [text.toLowerCase(), value.toLowerCase()]
  return {
    equal: whole === part,
    notEqual: whole !== part,
    containing: whole.includes(part),
    notContaining: !whole.includes(part),
    startingWith: whole.startsWith(part),
    empty: whole === '',
    notEmpty: whole !== '',
  }[is] as boolean
}

function matchCustom(raw: string, is: string, value: string | number, now: Date): boolean {
  const text = raw.trim()
  if (['above', 'below', 'atLeast', 'atMost'].includes(is)) {
    if (!/^-?\d+(\.\d+)?$/.test(text)) return false
    const [left, right] = [Number(text), Number(value)]
    return { above: left > right, below: left < right, atLeast: left >= right, atMost: left <= right }[is] as boolean
  }
  const day = /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))($|[T ])/.exec(text)?.[1]
  if (day === undefined) return false
  const plus = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  switch (is) {
    case 'before':
      return day < String(value)
    case 'after':
      return day > String(value)
    case 'inLast':
      return day >= plus(-Number(value)) && day <= plus(0)
    case 'inNext':
      return day >= plus(0) && day <= plus(Number(value))
    default:
      for (let ahead = 0; ahead <= Number(value); ahead++) {
        const date = plus(ahead)
        const isLeap = Number(date.slice(0, 4)) % 4 === 0
        if (day.slice(5) === date.slice(5) || (!isLeap && date.endsWith('02-28') && day.endsWith('02-29'))) return true
      }
      return false
  }
}

function findStatus({ suppressed, lists }: PlainContact): string {
  if (suppressed === 'unsubscribe') return 'unsubscribed'
  if (suppressed === 'hard_bounce') return 'bounced'
  if (suppressed !== null) return 'suppressed'
  const memberships = Object.values(lists)
  if (memberships.length === 0 || memberships.includes('confirmed')) return 'subscribed'
  return memberships.includes('pending') ? 'pending' : 'unsubscribed'
}

function matchActivity({ messages }: PlainContact, { field, is, value }: Condition, now: Date): boolean {
  const since = is === 'inLast' || is === 'notInLast' ? new Date(now.getTime() - Number(value) * DAY_MS) : undefined
  const campaignId = is === 'ofCampaign' || is === 'notOfCampaign' ? value : undefined
  const times = ({ sentAt, isBounced, repliedAt, events }: PlainMessage): (Date | null)[] => {
    if (field === 'sent') return [sentAt]
    if (field === 'bounced') return [isBounced ? sentAt : null]
    if (field === 'replied') return [repliedAt]
    const kind = field === 'opened' ? 'open' : 'click'
    return events.filter((event) => event.isHuman && event.kind === kind).map(({ at }) => at)
  }
  const isActive = messages
    .filter((message) => campaignId === undefined || message.campaignId === campaignId)
    .some((message) => times(message).some((at) => at !== null && (since === undefined || at >= since)))
  return ['ever', 'inLast', 'ofCampaign'].includes(is) ? isActive : !isActive
}

function matchEvents({ events }: PlainContact, name: string, { is, value }: Condition, now: Date): boolean {
  const since = is.endsWith('Last') ? now.getTime() - Number(value) * DAY_MS : Number.NEGATIVE_INFINITY
  const did = events.some((event) => event.name === name && event.at.getTime() >= since)
  return did === (is === 'ever' || is === 'inLast')
}

function matchMoment(at: Date, is: string, value: string | number, now: Date): boolean {
  if (is === 'before') return at.toISOString().slice(0, 10) < String(value)
  if (is === 'after') return at.toISOString().slice(0, 10) > String(value)
  const isRecent = at.getTime() >= now.getTime() - Number(value) * DAY_MS
  return is === 'inLast' ? isRecent : !isRecent
}

function matchJoined({ lists, since }: PlainContact, is: string, value: string | number, now: Date): boolean {
  const times = Object.entries(since).flatMap(([listId, at]) => (lists[listId] === 'confirmed' ? [at] : []))
  const matches = (at: Date) => matchMoment(at, is, value, now)
  return is === 'notInLast' ? times.every(matches) : times.some(matches)
}

function matchCondition(contact: PlainContact, condition: Condition, now: Date): boolean {
  const { field, is, value = '' } = condition
  const text = String(value)
  const isEqual = is === 'equal'
  if (field.startsWith('attributes.')) {
    const raw = String(contact.attributes[field.slice('attributes.'.length)] ?? '')
    return matchText(raw, is, text) ?? matchCustom(raw, is, value, now)
  }
  if (field.startsWith('event.')) return matchEvents(contact, field.slice('event.'.length), condition, now)
  const clicked = contact.messages.flatMap(({ events }) => events.filter((event) => event.isHuman && event.url))
  switch (field) {
    case 'email':
    case 'phone':
    case 'name':
      return matchText(contact[field] ?? '', is, text)
    case 'list': {
      const status = contact.lists[text]
      return (status !== undefined && status !== 'unsubscribed') === isEqual
    }
    case 'tag':
      return contact.tags.includes(text) === isEqual
    case 'status':
      return (findStatus(contact) === text) === isEqual
    case 'source':
      return (contact.source === text) === isEqual
    case 'createdAt':
      return matchMoment(contact.createdAt, is, value, now)
    case 'joinedAt':
      return matchJoined(contact, is, value, now)
    case 'channel':
      // Nobody here has consented to WhatsApp.
      return (text === 'email' && contact.email !== null && contact.suppressed === null) === isEqual
    case 'clickedLink': {
      const isFound = clicked.some(({ url = '' }) =>
        is.endsWith('qual') ? url === text : url.toLowerCase().includes(text.toLowerCase()),
      )
      return isFound !== is.startsWith('not')
    }
    default:
      return matchActivity(contact, condition, now)
  }
}

/** Whether a contact is in the filter. */
export function evaluate(contact: PlainContact, { op, items }: ContactFilter, now: Date): boolean {
  const matches = (item: ContactFilter | Condition) =>
    isGroup(item) ? evaluate(contact, item, now) : matchCondition(contact, item, now)
  if (items.length === 0) return true
  return op === 'and' ? items.every(matches) : items.some(matches)
}
