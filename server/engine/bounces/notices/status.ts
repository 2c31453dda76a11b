/** Delivery status notifications (RFC 3464, RFC 6533): what became of each recipient. */
import { addressIn } from './addresses.ts'
import { listFields } from './mail.ts'

export type RecipientStatus = {
  /** `failed`, `delayed`, `delivered` (relayed and expanded too). */
  action: 'failed' | 'delayed' | 'delivered'
  /** Who failed, as the last server knew it. */
  recipient: string | null
  /** Who was written to, where the report tells them apart. */
  original: string | null
  /** The status of RFC 3463, or ''. */
  status: string
  /** What the server said, without the kind of the code. */
  diagnostic: string
}

/** Recipients of one report that are looked at. */
const MAX_RECIPIENTS = 200

/** The statuses in the parts of a report, one for each recipient. */
export function readStatuses(parts: string[]): RecipientStatus[] {
  return parts.flatMap(recipientBlocks).slice(0, MAX_RECIPIENTS).map(toStatus)
}

/** Some reports have their fields among the words, their parts being broken or undeclared. */
export function statusAmongWords(text: string): string | null {
  if (!/^[ >]*Final-Recipient:/im.test(text)) return null
  const at = text.search(/^[ >]*(?:Reporting-MTA|Original-Recipient|Final-Recipient|Action):/im)
  const lines = text.slice(at).split('\n')
  const end = lines.findIndex((line) => /^(?:--\S|Received:|Return-Path:|Content-Type: message\/rfc822)/i.test(line))
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.replace(/^>? ?(?=[A-Z])/, ''))
    .join('\n')
}

/** Blocks of fields about a recipient: divided by blank lines, or where a field comes again that a block has once. */
function recipientBlocks(part: string): Map<string, string>[] {
  const blocks = part.split(/\n[ \t]*\n/).flatMap((block) => {
    const split: Map<string, string>[] = [new Map()]
    for (const [name, value] of listFields(block)) {
      const current = split.at(-1)
      if (current?.has(name) && /^(?:final-recipient|original-recipient|action)$/.test(name))
        split.push(new Map([[name, value]]))
      else if (!current?.has(name)) current?.set(name, value)
    }
    return split
  })
  const found: Map<string, string>[] = []
  let early = new Map<string, string>()
  for (const fields of blocks) {
    const isRecipient = fields.has('final-recipient') || fields.has('original-recipient')
    if (isRecipient) {
      // Fields that stand above a recipient's own block are still that recipient's, and so are those below it.
      for (const [name, value] of early) if (!fields.has(name)) fields.set(name, value)
      found.push(fields)
    } else {
      const last = found.at(-1)
      if (last && !last.has('status')) for (const [name, value] of fields) last.set(name, last.get(name) ?? value)
    }
    early = isRecipient
      ? new Map()
      : new Map([...fields].filter(([name]) => /^(?:action|status|diagnostic-code)$/.test(name)))
  }
  return found.length === 0 && early.has('action') ? [early] : found
}

function toStatus(fields: Map<string, string>): RecipientStatus {
  const said = fields.get('status') ?? ''
  const status = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(said)?.[1] ?? ''
  const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^\s*[\w.-]{1,30}\s*;\s*/, '').trim()
  const final = addressIn(fields.get('final-recipient')) ?? addressIn(fields.get('x-actual-recipient'))
  const original = addressIn(fields.get('original-recipient'))
  // A name that only the last server knows is no address for anybody else.
  const isLocal = final !== null && original !== null && !final.split('@')[1]?.includes('.')
  return {
    action: toAction(fields.get('action') ?? '', status),
    recipient: isLocal ? original : (final ?? original),
    original: original === final || isLocal ? null : original,
    status,
    diagnostic: diagnostic || (status ? said.replace(status, '').replace(/^[\s()]+|[\s()]+$/g, '') : said),
  }
}

/** Real reports write more than RFC 3464 allows: "failure", "Delayed", "deliverable", "failed (…)". */
function toAction(action: string, status: string): RecipientStatus['action'] {
  if (/^\W*(?:fail|error|reject|bounce|undeliver|expired)/i.test(action)) return 'failed'
  if (/^\W*(?:delay|defer|queued)/i.test(action)) return 'delayed'
  if (/^\W*(?:deliver|relay|expand|transfer|success)/i.test(action)) return 'delivered'
  return status.startsWith('2') ? 'delivered' : 'failed'
}
