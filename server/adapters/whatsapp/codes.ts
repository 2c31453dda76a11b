/**
 * What to do about each of Meta's error codes, whether it came in an answer or in a failed status. Decided on the code
 * alone: titles and HTTP statuses differ between Meta's own pages.
 */
export type CodeAction =
  /** Again with growing gaps, the number as a whole slower (`slow`) or this recipient only. */
  | 'retry'
  | 'slow'
  | 'pair'
  /** Again once, then not. */
  | 'once'
  /** Not again before a day, and then only when a person asks for it. */
  | 'later'
  /** This message only. */
  | 'fail'
  /** The person asked for it: never marketing again. */
  | 'suppress'
  /** Nothing else would go either: the campaign rests, and the number too. */
  | 'pause'
  | 'stop'
  | 'reconnect'

export interface CodeMeaning {
  action: CodeAction
  /** For people: what happened and what to do. */
  text: string
  /** What stopped is the template and not the number: with another one it would go. */
  ofTemplate: boolean
}

const meaning = (action: CodeAction, text: string): CodeMeaning => ({ action, text, ofTemplate: false })
const ofTemplate = (action: CodeAction, text: string): CodeMeaning => ({ action, text, ofTemplate: true })

const TOKEN = meaning('reconnect', 'The access token is no longer valid. Enter a new one.')
const PERMISSION = meaning(
  'stop',
  'The access token may not do this. Give its system user whatsapp_business_messaging and whatsapp_business_management.',
)
const RESTRICTED = meaning(
  'stop',
  'Meta restricted this business account. See what it asks for in the Business Support Home.',
)
const BUSY = meaning('retry', 'WhatsApp was temporarily unavailable.')
const CALLS = meaning('slow', 'Meta’s limit of API calls was reached.')
const REQUEST = meaning('fail', 'Meta could not use the message. A value in it is not what the template expects.')
const TEMPLATE_VALUE = meaning(
  'fail',
  'A value does not fit the template: it is too long, contains line breaks, or has the wrong type.',
)
const NUMBER = meaning('stop', 'The number is not ready: its display name is not approved, or it is not registered.')

const TABLE = new Map<number, CodeMeaning>([
  [0, TOKEN],
  [190, TOKEN],
  [3, PERMISSION],
  [10, PERMISSION],
  [131005, PERMISSION],
  [368, RESTRICTED],
  [131031, RESTRICTED],
  [130497, meaning('fail', 'Your business is not allowed to message this country.')],
  [
    131042,
    meaning(
      'stop',
      'Meta has no valid payment method for this business account. Fix it in the Business Manager, then resume.',
    ),
  ],
  [131037, NUMBER],
  [131045, NUMBER],
  [133010, NUMBER],
  [4, CALLS],
  [80007, CALLS],
  [130429, meaning('slow', 'The number sent faster than Meta allows.')],
  [131056, meaning('pair', 'Too many messages to the same person in a short time.')],
  [
    131048,
    meaning(
      'pause',
      'Meta limits this number, because people blocked or reported its messages. Wait a few hours, then send to fewer people who know you.',
    ),
  ],
  [131064, meaning('pause', 'Meta limits templates of this account, because one was in the wrong category.')],
  [131049, meaning('later', 'Meta did not deliver it, to limit the marketing messages this person gets.')],
  [131050, meaning('suppress', 'The person stopped marketing messages from you.')],
  [130472, meaning('fail', 'Meta excluded this person as part of an experiment.')],
  [
    131026,
    meaning(
      'fail',
      'It could not be delivered: the number is not on WhatsApp or uses an old version, or the person blocked you.',
    ),
  ],
  [131047, meaning('fail', 'More than 24 hours have passed since the person last wrote: only a template can be sent.')],
  [131021, meaning('fail', 'The recipient is the sender itself.')],
  [
    131030,
    meaning('fail', 'A test number can only message numbers on its list. Add this one at Meta, or use a real number.'),
  ],
  [131051, REQUEST],
  [131008, REQUEST],
  [131009, REQUEST],
  [100, REQUEST],
  [33, REQUEST],
  [131052, meaning('once', 'The file could not be fetched.')],
  [131053, meaning('once', 'The file could not be used: its kind or size is not allowed.')],
  [
    131062,
    meaning(
      'fail',
      'WhatsApp hides the number of this person, and this kind of template can only be sent to a number.',
    ),
  ],
  [1, BUSY],
  [2, BUSY],
  [131000, BUSY],
  [131016, BUSY],
  [133004, BUSY],
  [131057, BUSY],
  [2494100, BUSY],
  [134101, BUSY],
  [131063, meaning('stop', 'This account sends marketing messages through another API of Meta.')],
  [134100, meaning('stop', 'This account sends marketing messages through another API of Meta.')],
  [134102, meaning('stop', 'This account is not ready for Meta’s marketing API.')],
  [131055, meaning('stop', 'This account is not allowed to send this kind of message.')],
  [
    132000,
    ofTemplate(
      'stop',
      'The template expects different variables than the message has. Sync the templates and fill in the variables again.',
    ),
  ],
  [132001, ofTemplate('stop', 'The template does not exist in this language, or is not approved.')],
  [132005, TEMPLATE_VALUE],
  [132007, TEMPLATE_VALUE],
  [132012, TEMPLATE_VALUE],
  [132018, TEMPLATE_VALUE],
  [
    132015,
    ofTemplate(
      'pause',
      'Meta paused the template, because of negative feedback. It can be sent again when Meta approves it again.',
    ),
  ],
  [132016, ofTemplate('stop', 'Meta disabled the template permanently. Use another one.')],
  [132068, ofTemplate('stop', 'The form in this template is blocked.')],
  [132069, meaning('slow', 'The form in this template is used too often.')],
])

/** The codes by which a person stopped marketing: the message to them did not fail, they are suppressed. */
export const STOPPED_CODES: readonly number[] = [...TABLE].flatMap(([code, { action }]) =>
  action === 'suppress' ? [code] : [],
)

/** What a code means. Unknown ones fail the one message. 200 to 299 are Graph's permissions. */
export function findCodeMeaning(code: number): CodeMeaning {
  if (code >= 200 && code <= 299) return PERMISSION
  return TABLE.get(code) ?? meaning('fail', `Meta refused it with code ${code}.`)
}
