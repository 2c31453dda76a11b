/** What a mail server's answer means and whom it blames: the address, the sender, the content, or nobody. */
import type { BounceClass, Outcome } from '../types.ts'
import { blamesContent } from './phrases/content.ts'
import {
  blamesContentAbroad,
  blamesRecipientAbroad,
  blamesSenderAbroad,
  isFullAbroad,
  passesAbroad,
} from './phrases/languages.ts'
import { isForNow, isFull, passes } from './phrases/passing.ts'
import { toPhrases } from './phrases/phrases.ts'
import { blamesRecipient, hintsAtRecipient } from './phrases/recipient.ts'
import { blamesSender, hintsAtSender } from './phrases/sender.ts'

export type ReplyClass = Pick<Outcome, 'kind' | 'code' | 'enhanced' | 'response' | 'class'>

const ENHANCED = /^(?:\d{3}[ -])?\s*([245]\.\d{1,3}\.\d{1,3})\b/

const HARD_CODES = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.1.351', '5.2.1', '5.4.310'])
const CONTENT_CODES = /^[45]\.(?:3\.4|2\.3|6\.\d+)$/
/** Status codes about who sends (RFC 3463, RFC 5248), and Microsoft's for a daily limit. */
const SENDER_CODES = /^5\.(?:7\.\d+|1\.[789]|1\.20|4\.5)$/
/** Answered before a recipient was named: whatever the words, they are about us. */
export const BEFORE_RECIPIENT =
  /(?:in reply to|in response to|after|response to) (?:the |sending )?(?:mail from|mail|helo|ehlo|initial connection|connect)\b(?! ?(?:to|delivery|transaction))|\bsender was rejected/i

/** Control characters out, one line, at most 500 characters: fit to be stored and shown. */
export function cleanResponse(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()
}

/**
 * Classes a final reply (RFC 5321 code, its text with the RFC 3463 status if any): 2xx sent, 4xx deferred, 5xx failed. The
 * response begins with the code, as the server sent it.
 */
export function classify(code: number, text: string): ReplyClass {
  const response = cleanResponse(new RegExp(`^\\s*${code}\\b`).test(text) ? text : `${code} ${text}`)
  const enhanced = ENHANCED.exec(response)?.[1] ?? null
  if (code >= 200 && code < 300) return { kind: 'sent', code, enhanced, response, class: null }
  const kind = code >= 500 && code < 600 ? 'failed' : 'deferred'
  return { kind, code, enhanced, response, class: blame(code, enhanced, text) }
}

/** Whom a refusal blames. Code and status decide where the words are unknown; where nothing is certain, nobody is to blame. */
export function blame(code: number, enhanced: string | null, text: string): BounceClass {
  const words = toPhrases(text)
  if (code < 500) return blameForNow(enhanced, words)
  const blamed = blameByWords(words) ?? blameByStatus(code, enhanced, words) ?? blameByHint(code, words)
  return blamed === 'hard' && BEFORE_RECIPIENT.test(words) ? 'block' : blamed
}

/** Words by which a server says that it was sent too much or too fast. */
const TOO_FAST =
  /rate.?limit|throttl|too (?:many|fast|much)|slow down|unusual rate|exceed\w{0,5} (?:the )?(?:rate|limit|quota)|temporarily deferred|concurren/
/** What servers say of one recipient or of themselves, also with the code 421. */
const OTHER_TROUBLE = /gr[ea]y.?list|mailbox (?:is )?full|over ?quota|shutting down|time[d]?.?out/

/** Whether a deferral asks the sender for fewer emails: 421, 4.7.x, or words that say so; greylisting does not. */
export function asksToSlowDown({ kind, code, enhanced, response, class: blamed }: ReplyClass): boolean {
  if (kind !== 'deferred' || code === null || code < 400) return false
  const words = toPhrases(response)
  if (OTHER_TROUBLE.test(words)) return false
  if (enhanced?.startsWith('4.7.')) return blamed === 'block' || code === 421 || TOO_FAST.test(words)
  return code === 421 ? enhanced === null || enhanced === '4.2.1' || TOO_FAST.test(words) : TOO_FAST.test(words)
}

/** Whether words say who is to blame, or that the error passes, whatever the code. */
export const saysWhy = (text: string): boolean => {
  const words = toPhrases(text)
  return blameByWords(words) !== null || hintsAtSender(words) || hintsAtRecipient(words)
}

function blameForNow(enhanced: string | null, words: string): BounceClass {
  if (/gr[ea]y.?list/.test(words)) return 'soft'
  const isBlocked = blamesSender(words) || hintsAtSender(words) || blamesSenderAbroad(words)
  if (enhanced === '4.7.1' && !isBlocked) return 'soft'
  if (enhanced?.startsWith('4.7.')) return 'block'
  if (enhanced && CONTENT_CODES.test(enhanced)) return 'content'
  if (isFull(words)) return 'soft'
  return isBlocked && (!enhanced || blamesSender(words)) ? 'block' : 'soft'
}

/** In this order: what is said of us or of the message is never taken for a word about the recipient. */
function blameByWords(words: string): BounceClass | null {
  if (isFull(words) || isFullAbroad(words))
    return /\bdaily\b|\bsending (?:quota|limit|rate)|\b(?:quota|limit) (?:for|of|on) sending|per (?:day|hour)/.test(
      words,
    )
      ? 'block'
      : 'soft'
  if (blamesContent(words) || blamesContentAbroad(words)) return 'content'
  if (blamesSender(words)) return 'block'
  if (isForNow(words)) return 'soft'
  if (blamesRecipient(words)) return 'hard'
  if (blamesSenderAbroad(words)) return 'block'
  if (blamesRecipientAbroad(words)) return 'hard'
  return passes(words) || passesAbroad(words) ? 'soft' : null
}

function blameByStatus(code: number, enhanced: string | null, words: string): BounceClass | null {
  if (!enhanced) return null
  if (HARD_CODES.has(enhanced)) return 'hard'
  if (enhanced === '5.1.0') return hintsAtSender(words) ? 'block' : 'hard'
  if (enhanced === '5.2.2') return 'soft'
  if (SENDER_CODES.test(enhanced)) return 'block'
  if (CONTENT_CODES.test(enhanced)) return 'content'
  // A host that takes no mail at all says 521 (RFC 7504); without the code it may be shut for the night.
  if (code === 521 && enhanced === '5.3.2') return 'hard'
  return enhanced.startsWith('5.3.') || enhanced.startsWith('5.4.') ? 'soft' : null
}

function blameByHint(code: number, words: string): BounceClass {
  if (code === 556) return 'hard'
  if (hintsAtSender(words)) return 'block'
  // Nothing certain is known: never a reason to suppress somebody.
  return hintsAtRecipient(words) ? 'hard' : 'soft'
}
