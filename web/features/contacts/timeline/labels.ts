import { labelMessageReason } from '#contracts/campaigns/report/reasons.ts'
import type { TimelineEntry } from '#contracts/contacts/timeline.ts'
import { formatUtcDay } from '#web/ui/lib/format.ts'
import { labelSource, reasonLabels } from '../labels.ts'

/** What an entry of a timeline says: one sentence, and what belongs to it. */
interface EntryText {
  title: string
  detail?: string
  /** "City: Bonn → Kiel" or "total: 20", a line for each. */
  lines?: string[]
}

const MESSAGE_STATES: Record<string, string> = {
  queued: 'Queued',
  claimed: 'Queued',
  sent: 'Sent',
  accepted: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  deferred: 'Deferred',
  failed: 'Failed',
  bounced: 'Bounced',
  suppressed: 'Suppressed',
  unconfirmed: 'Unconfirmed',
}

const JOURNEY_ENDS: Record<string, string> = {
  done: 'Completed the journey',
  goal: 'Reached the goal of the journey',
  exited: 'Left the journey',
}

const times = (entry: TimelineEntry) => (entry.times > 1 ? ` ${entry.times} times` : '')
/** Bots are named, and opens and clicks of people are theirs. */
const by = (entry: TimelineEntry, verb: string) =>
  entry.isBot ? `${verb}${times(entry)} by a bot` : `${verb}${times(entry)}`

/** What an edit calls the fields that every contact has. */
const ownFields: Record<string, string> = {
  email: 'Email',
  phone: 'Phone',
  bsuid: 'WhatsApp ID',
  name: 'Name',
  tags: 'Tags',
}

/** An entry in words. The campaign, the link and the time are shown beside them. `labelField`: what people see of a custom field's name. */
export function describeEntry(entry: TimelineEntry, labelField = (name: string) => name): EntryText {
  const { state, detail, url } = entry
  switch (entry.kind) {
    case 'added':
      return { title: state === 'manual' ? 'Added manually' : `Added: ${labelSource(state)}` }
    case 'edited':
      return {
        title:
          detail === ''
            ? 'Last edited'
            : `Edited: ${detail
                .split(', ')
                .map((name) => ownFields[name] ?? labelField(name))
                .join(', ')}`,
        ...(entry.editor && { detail: `By ${entry.editor}` }),
        lines: (entry.changes ?? []).map(
          ({ field, from, to }) => `${ownFields[field] ?? labelField(field)}: ${from ?? 'empty'} → ${to ?? 'empty'}`,
        ),
      }
    case 'merged':
      return { title: 'Merged with another contact', detail }
    case 'confirmed':
      return { title: `Confirmed the subscription to ${detail || 'a deleted list'}` }
    case 'list_joined':
      return { title: `Joined the list ${detail}` }
    case 'list_pending':
      return { title: `Added to the list ${detail}, not confirmed yet` }
    case 'list_left':
      return { title: `Left the list ${detail}` }
    case 'tagged':
      return { title: url === null ? `Got the tag ${detail}` : `Got the tag ${detail} by a click` }
    case 'suppressed':
      return {
        title: state === 'unsubscribe' ? 'Unsubscribed' : `Suppressed: ${reasonLabels[state] ?? state}`,
        detail,
      }
    case 'found':
      return { title: 'Found on a web page', detail }
    case 'consent':
      return { title: 'Gave WhatsApp consent', detail }
    case 'preference':
      return { title: describeChange(state, detail) }
    case 'custom_event':
      return {
        title: detail,
        lines: Object.entries(entry.properties ?? {}).map(([name, value]) => `${name}: ${value ?? 'empty'}`),
      }
    case 'journey_entered':
      return { title: `Entered the journey ${detail}` }
    case 'journey_left':
      return { title: `${JOURNEY_ENDS[state] ?? 'Left the journey'} ${detail}` }
    case 'message':
      return {
        title: `${messageName(entry)}: ${MESSAGE_STATES[state] ?? state}`,
        detail: state === 'suppressed' ? labelMessageReason(detail) : detail,
      }
    case 'open':
      return { title: by(entry, 'Opened') }
    case 'click':
      return { title: by(entry, 'Clicked a link') }
    case 'view':
      return { title: by(entry, 'Viewed in the browser') }
    case 'unsubscribe':
      return { title: 'Unsubscribed' }
    case 'complaint':
      return { title: 'Reported as spam' }
    case 'reply':
      return { title: 'Replied' }
    case 'bounce':
      return { title: 'Bounced', detail }
    case 'whatsapp_in':
      return { title: 'Sent you a WhatsApp message', detail }
    case 'whatsapp_out':
      return { title: `WhatsApp message: ${MESSAGE_STATES[state] ?? state}`, detail }
  }
}

/** What a contact did on their preference page. */
function describeChange(kind: string, detail: string): string {
  if (kind === 'paused') return `Paused emails until ${formatUtcDay(detail)}`
  const titles: Record<string, string> = {
    list_joined: `Joined the list ${detail} on the preference page`,
    list_left: `Left the list ${detail} on the preference page`,
    unsubscribed: 'Unsubscribed on the preference page',
    resubscribed: 'Turned emails on again',
    whatsapp_off: 'Turned WhatsApp messages off',
    whatsapp_on: 'Turned WhatsApp messages on again',
    weekly: 'Chose at most one email a week',
    all_emails: 'Chose to get all emails',
    data_requested: 'Asked for their data',
    data_read: 'Downloaded their data',
    erasure_requested: 'Asked to be erased',
  }
  return titles[kind] ?? kind
}

function messageName({ campaign }: TimelineEntry): string {
  if (campaign && campaign.step > 1) return `Follow-up ${campaign.step - 1}`
  return campaign?.channel === 'whatsapp' ? 'WhatsApp campaign' : 'Email'
}
