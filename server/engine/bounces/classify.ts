/** What a mail server's answer means and whom it blames: the address, the sender, the content, or nobody. */
import type { BounceClass, Outcome } from '../types.ts'

export type ReplyClass = Pick<Outcome, 'kind' | 'code' | 'enhanced' | 'response' | 'class'>

const ENHANCED = /^(?:\d{3}[ -])?\s*([245]\.\d{1,3}\.\d{1,3})\b/

// Text decides where providers stretch a code: Gmail's 5.2.1 is both "disabled" and "receiving too fast".
const TOO_FAST =
  /\brate\b.{0,40}\b(?:prevent|limit|exceed)|receiving mail (?:too quickly|at a rate)|too many (?:messages|connections)|try again later|temporar/i
const FULL = /mailbox (?:is )?full|over ?quota|quota exceeded|out of storage|insufficient (?:system )?storage/i
const BLOCKED =
  /\bspam\b|black ?list|block ?list|spamhaus|barracuda|reputation|\bpolicy\b|\bpolicies\b|\bdmarc\b|\bdkim\b|\bspf\b|unauthenticated|not authori[sz]ed|access denied|relay(?:ing)? (?:access )?denied|(?:unable|not permitted|not allowed) to relay|banned|blocked|\b(?:SC|DY|OU|RP)-00\d|\[(?:TS|PH)\w*\]|daily .{0,30}limit|sending limit/i
const NO_SUCH =
  /(?:user|mailbox|recipient|address|account)s?\b.{0,60}(?:unknown|not (?:found|exist|known|valid)|does ?n[o']t (?:exist|have)|invalid|disabled|inactive|unavailable|no longer)|(?:unknown|invalid|no such|non-?existent) (?:user|mailbox|recipient|address|account|person)|doesn'?t have (?:a|an) .{0,40}account|no mailbox here/i
const CONTENT =
  /message (?:size|too (?:big|large))|size (?:limit|exceed)|too large|attachment|file type|malformed|header|content rejected|message content/i

const HARD_CODES = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])
const CONTENT_CODES = /^[45]\.(?:3\.4|2\.3|6\.\d+)$/

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
  return { kind, code, enhanced, response, class: blame(code, enhanced, response) }
}

function blame(code: number, enhanced: string | null, text: string): BounceClass {
  if (code < 500) return blameForNow(enhanced, text)
  if (enhanced) {
    if (enhanced === '5.2.1' && TOO_FAST.test(text)) return 'soft'
    if (HARD_CODES.has(enhanced)) return 'hard'
    if (enhanced === '5.2.2') return 'soft'
    if (enhanced === '5.7.0' && CONTENT.test(text)) return 'content'
    if (enhanced.startsWith('5.7.') || enhanced === '5.4.5') return 'block'
    if (CONTENT_CODES.test(enhanced)) return 'content'
    // A host that takes no mail at all says 521 (RFC 7504); without the code it may be shut for the night.
    if (code === 521 && enhanced === '5.3.2') return 'hard'
    if (enhanced.startsWith('5.3.') || enhanced.startsWith('5.4.')) return 'soft'
  }
  return blameByText(code, text)
}

function blameForNow(enhanced: string | null, text: string): BounceClass {
  if (/greylist|graylist/i.test(text)) return 'soft'
  if (enhanced === '4.7.1' && !BLOCKED.test(text)) return 'soft'
  if (enhanced?.startsWith('4.7.')) return 'block'
  if (enhanced && CONTENT_CODES.test(enhanced)) return 'content'
  return !enhanced && BLOCKED.test(text) ? 'block' : 'soft'
}

function blameByText(code: number, text: string): BounceClass {
  if (code === 556) return 'hard'
  if (FULL.test(text) || TOO_FAST.test(text)) return 'soft'
  // Before "no such user": a block often says "address rejected", and blaming an address wrongly cannot be taken back.
  if (BLOCKED.test(text)) return 'block'
  if (NO_SUCH.test(text)) return 'hard'
  if (code === 552 || CONTENT.test(text)) return 'content'
  // Nothing certain is known: never a reason to suppress somebody.
  return 'soft'
}
