import type { ChatMessage } from '#contracts/whatsapp/inbox.ts'
import type { WhatsAppNumber } from '#contracts/whatsapp/numbers.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import type { BadgeTone } from '#web/ui/feedback/badge.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'

interface StatusWord {
  tone: BadgeTone
  shape: 'check' | 'cross' | 'warning' | 'clock' | 'pause' | 'dashed' | 'minus' | 'dot'
  label: string
  /** What it means and what to do, in one sentence. */
  means: string
}

/** What Meta says of a number's quality over the last seven days. */
export const qualityWords: Record<WhatsAppNumber['quality'], StatusWord> = {
  green: { tone: 'good', shape: 'check', label: 'High', means: 'People rarely block or report this number.' },
  yellow: {
    tone: 'attention',
    shape: 'warning',
    label: 'Medium',
    means: 'Some people block or report this number. Send fewer messages, and only what people asked for.',
  },
  red: {
    tone: 'harm',
    shape: 'cross',
    label: 'Low',
    means: 'Many people block or report this number. Meta may lower its limit.',
  },
  unknown: {
    tone: 'neutral',
    shape: 'dashed',
    label: 'Unknown',
    means: 'Meta rates a number after enough messages were sent.',
  },
}

/** Whether a number can be used, as the last call to Meta had it. */
export const stateWords: Record<WhatsAppNumber['state'], Omit<StatusWord, 'means'>> = {
  working: { tone: 'good', shape: 'check', label: 'Working' },
  failing: { tone: 'attention', shape: 'warning', label: 'Failing' },
  reconnect: { tone: 'harm', shape: 'cross', label: 'Needs new token' },
  restricted: { tone: 'harm', shape: 'minus', label: 'Restricted' },
}

/** How many people may be written to first in 24 hours: "2,000 people a day", "No limit", "Unknown". */
export function limitInWords({ tier, dailyLimit }: Pick<WhatsAppNumber, 'tier' | 'dailyLimit'>): string {
  if (dailyLimit !== null) return `${formatNumber(dailyLimit)} people a day`
  return tier.includes('UNLIMITED') ? 'No limit' : 'Unknown'
}

/** How much of that is used: "120 of 2,000 new conversations started in the last 24 hours". */
export function limitUseInWords({ dailyLimit, usedToday }: Pick<WhatsAppNumber, 'dailyLimit' | 'usedToday'>): string {
  const used =
    dailyLimit === null ? formatNumber(usedToday) : `${formatNumber(usedToday)} of ${formatNumber(dailyLimit)}`
  return `${used} new ${dailyLimit === null && usedToday === 1 ? 'conversation' : 'conversations'} started in the last 24 hours`
}

/** What Meta says of a template's quality: what people's blocks and reports made of it lately. */
export const templateQuality: Record<WhatsAppTemplate['quality'], StatusWord> = {
  green: { tone: 'good', shape: 'check', label: 'High', means: 'People rarely block or report it.' },
  yellow: {
    tone: 'attention',
    shape: 'warning',
    label: 'Medium',
    means: 'Some people block or report it. Send it to fewer people or improve it before Meta pauses it.',
  },
  red: {
    tone: 'harm',
    shape: 'cross',
    label: 'Low',
    means: 'Many people block or report it. Meta will pause it: first for 3 hours, then for 6 hours, then permanently.',
  },
  unknown: {
    tone: 'neutral',
    shape: 'dashed',
    label: 'Unknown',
    means: 'Meta rates a template after enough people received it.',
  },
}

const templateStates: Record<string, StatusWord> = {
  APPROVED: { tone: 'good', shape: 'check', label: 'Approved', means: 'Ready to send.' },
  PENDING: {
    tone: 'accent',
    shape: 'clock',
    label: 'In review',
    means: 'Meta usually reviews it within a day. The status updates automatically.',
  },
  IN_APPEAL: { tone: 'accent', shape: 'clock', label: 'In appeal', means: 'Meta is reviewing it again.' },
  REJECTED: {
    tone: 'harm',
    shape: 'cross',
    label: 'Rejected',
    means: 'Meta rejected it. Fix what Meta names and create it under another name.',
  },
  PAUSED: {
    tone: 'attention',
    shape: 'pause',
    label: 'Paused',
    means: 'People reported it or did not read it. Meta lifts the pause automatically.',
  },
  DISABLED: { tone: 'harm', shape: 'minus', label: 'Disabled', means: 'Meta disabled it permanently.' },
  FLAGGED: {
    tone: 'attention',
    shape: 'warning',
    label: 'Flagged',
    means: 'Its quality is low. Meta will pause it if the quality does not improve.',
  },
}

/** A template's status for people; a word of Meta's that is not known here is shown as it is. */
export const templateState = (status: string): StatusWord =>
  templateStates[status] ?? {
    tone: 'neutral',
    shape: 'dot',
    label: status.toLowerCase().replaceAll('_', ' '),
    means: 'Only approved templates can be sent.',
  }

/** MARKETING -> "Marketing". */
export const categoryInWords = (category: string): string =>
  category.charAt(0).toUpperCase() + category.slice(1).toLowerCase()

const reasons: Record<string, string> = {
  INVALID_FORMAT: 'its variables or their examples do not follow Meta’s format',
  ABUSIVE_CONTENT: 'its content is abusive',
  PROMOTIONAL: 'it is promotional, which its category does not allow',
  TAG_CONTENT_MISMATCH: 'its content does not fit its category or language',
  SCAM: 'Meta identified it as a scam',
  INCORRECT_CATEGORY: 'its content belongs to another category',
}

/** Meta's codes for why a template is refused. */
export const rejectionReasons = Object.keys(reasons)

/** Why Meta refused or paused a template: its code in words, its own words as they are; empty for none. */
export const reasonInWords = (reason: string): string => (reason === 'NONE' ? '' : (reasons[reason] ?? reason))

const languages = new Intl.DisplayNames('en', { type: 'language' })

/** en_US -> "American English". */
export function languageInWords(code: string): string {
  try {
    return languages.of(code.replace('_', '-')) ?? code
  } catch {
    return code
  }
}

/** What became of a message of ours, in a word for its tick and for screen readers. */
export const messageState: Record<ChatMessage['status'], string> = {
  received: 'Received',
  queued: 'Queued',
  unconfirmed: 'Unconfirmed. The connection was lost before WhatsApp replied. It is not sent again automatically.',
  accepted: 'Accepted by WhatsApp',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  note: 'Note',
}
