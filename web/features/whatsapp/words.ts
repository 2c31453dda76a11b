import type { z } from 'zod'
import type { ConsentPurpose, OptInHow, WhatsAppAccount } from '#contracts/whatsapp.ts'
import type { ChatMessage } from '#contracts/whatsapp-inbox.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp-templates.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import { formatNumber } from '#web/ui/format.ts'

interface Word {
  tone: BadgeTone
  shape: 'check' | 'cross' | 'warning' | 'clock' | 'pause' | 'dashed' | 'minus' | 'dot'
  label: string
  /** What it means and what to do, in one sentence. */
  means: string
}

/** What Meta says of a number's quality over the last seven days. */
export const qualityWords: Record<WhatsAppAccount['quality'], Word> = {
  green: { tone: 'good', shape: 'check', label: 'high', means: 'People seldom block or report this number.' },
  yellow: {
    tone: 'attention',
    shape: 'warning',
    label: 'medium',
    means: 'Some people block or report it. Write less, and only what was asked for.',
  },
  red: {
    tone: 'harm',
    shape: 'cross',
    label: 'low',
    means: 'Many people block or report it. Meta may lower its limit.',
  },
  unknown: {
    tone: 'neutral',
    shape: 'dashed',
    label: 'unknown',
    means: 'Meta says nothing before enough messages were sent.',
  },
}

/** Whether a number can be used, as the last call to Meta had it. */
export const stateWords: Record<WhatsAppAccount['state'], Omit<Word, 'means'>> = {
  working: { tone: 'good', shape: 'check', label: 'working' },
  failing: { tone: 'attention', shape: 'warning', label: 'failing' },
  reconnect: { tone: 'harm', shape: 'cross', label: 'needs a new token' },
  restricted: { tone: 'harm', shape: 'minus', label: 'restricted by Meta' },
}

/** How many people may be written to first in 24 hours: "250 people", "no limit", "unknown". */
export function limitInWords({ tier, dailyLimit }: Pick<WhatsAppAccount, 'tier' | 'dailyLimit'>): string {
  if (dailyLimit !== null) return `${formatNumber(dailyLimit)} people`
  return tier.includes('UNLIMITED') ? 'no limit' : 'unknown'
}

/** What Meta says of a template's quality: what people's blocks and reports made of it lately. */
export const templateQuality: Record<WhatsAppTemplate['quality'], Word> = {
  green: { tone: 'good', shape: 'check', label: 'high', means: 'People seldom block or report it.' },
  yellow: {
    tone: 'attention',
    shape: 'warning',
    label: 'medium',
    means: 'Some people block or report it. Send it to fewer, or mend it, before Meta pauses it.',
  },
  red: {
    tone: 'harm',
    shape: 'cross',
    label: 'low',
    means: 'Many people block or report it. Meta pauses it next: first for 3 hours, then 6, then for good.',
  },
  unknown: {
    tone: 'neutral',
    shape: 'dashed',
    label: 'unknown',
    means: 'Meta says nothing before enough people got it.',
  },
}

const templateStates: Record<string, Word> = {
  APPROVED: { tone: 'good', shape: 'check', label: 'approved', means: 'It may be sent.' },
  PENDING: {
    tone: 'accent',
    shape: 'clock',
    label: 'in review',
    means: 'Meta reads it, usually within a day. Its status changes here by itself.',
  },
  IN_APPEAL: { tone: 'accent', shape: 'clock', label: 'in appeal', means: 'Meta reads it again.' },
  REJECTED: {
    tone: 'harm',
    shape: 'cross',
    label: 'rejected',
    means: 'Meta refused it. Mend what it names and create it under another name.',
  },
  PAUSED: {
    tone: 'attention',
    shape: 'pause',
    label: 'paused',
    means: 'People reported it or did not read it. Meta lifts the pause by itself.',
  },
  DISABLED: { tone: 'harm', shape: 'minus', label: 'disabled', means: 'Meta ended it for good.' },
  FLAGGED: {
    tone: 'attention',
    shape: 'warning',
    label: 'flagged',
    means: 'Its quality is low. Meta will pause it if that does not change.',
  },
}

/** A template's status for people; a word of Meta's that is not known here is shown as it is. */
export const templateState = (status: string): Word =>
  templateStates[status] ?? {
    tone: 'neutral',
    shape: 'dot',
    label: status.toLowerCase().replaceAll('_', ' '),
    means: 'Only approved templates may be sent.',
  }

/** MARKETING -> "Marketing". */
export const categoryInWords = (category: string): string =>
  category.charAt(0).toUpperCase() + category.slice(1).toLowerCase()

const reasons: Record<string, string> = {
  INVALID_FORMAT: 'its places or their examples are not formed as Meta wants them',
  ABUSIVE_CONTENT: 'Meta finds its content abusive',
  PROMOTIONAL: 'it promotes something, which its category does not allow',
  TAG_CONTENT_MISMATCH: 'its content does not fit its category or language',
  SCAM: 'Meta takes it for a scam',
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
  queued: 'Waiting to be handed over',
  unconfirmed: 'Not known whether it arrived: the answer was lost. It is not sent again by itself.',
  accepted: 'Taken by WhatsApp',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  note: 'Note',
}

/** The kinds of messages a consent covers. */
export const kindWords: Record<ConsentPurpose, string> = {
  marketing: 'marketing',
  utility: 'utility',
  authentication: 'codes to sign in',
}

/** How consent was given. */
export const howWords: Record<z.infer<typeof OptInHow>, string> = {
  form: 'On a form or a website',
  conversation: 'In a conversation on WhatsApp',
  paper: 'On paper',
  call: 'On the telephone',
  in_person: 'Face to face',
  purchase: 'With a purchase',
  other: 'Another way',
}
