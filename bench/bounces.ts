/**
 * How well reports are read: messages of real servers with what each says of every recipient (server/engine/bounces/SOURCE.md),
 * by class, and which are wrong. `--in FOLDER` scores another folder with an expected.json of the same form.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isAutomatic, looksBounced, type Report, readReport } from '#server/engine/bounces/bounce.ts'
import { openReport } from '#server/engine/bounces/notices/mail.ts'

interface Labeled {
  file: string
  class: string
  accept: string[]
  recipients: { address: string | null; class: string }[]
}

const { values } = parseArgs({ options: { in: { type: 'string' } } })
const folder = values.in ? resolve(values.in) : new URL('../server/engine/bounces', import.meta.url).pathname
/** Labels that say that nobody bounced, and what the reader calls them. */
const CHANGES_NOTHING: Record<string, Report['kind'][]> = {
  delayed: ['delayed'],
  delivered: ['delivered'],
  complaint: ['complaint'],
  opt_out: ['opt_out', 'complaint'],
  auth_report: ['auth_report'],
  auto_reply: ['auto_reply'],
  not_bounce: ['none', 'auto_reply'],
}

/** What a message is read as, in one line: `class address` for each recipient, or its kind. */
interface Reading {
  kind: Report['kind']
  recipients: { address: string | null; class: string }[]
}

async function read(file: string): Promise<Reading> {
  // As it comes over SMTP and IMAP.
  const raw = Buffer.from(readFileSync(`${folder}/${file}`, 'latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
  const { headers } = await openReport(raw)
  const report = await readReport(raw)
  if (report.kind !== 'bounce') return { kind: report.kind, recipients: [] }
  // A mailbox asks for the whole of an email only where its headers look like a report.
  if (!looksBounced(headers)) return { kind: isAutomatic(headers) ? 'auto_reply' : 'none', recipients: [] }
  return {
    kind: 'bounce',
    recipients: report.bounces.map((one) => ({ address: one.recipient, class: one.class })),
  }
}

/** Whether every recipient is read as labeled, by address where the label and the report both have one. */
function isRight(label: Labeled, reading: Reading): boolean {
  const kinds = CHANGES_NOTHING[label.class]
  if (kinds) return kinds.includes(reading.kind)
  if (reading.kind !== 'bounce') return label.accept.includes(reading.kind)
  return label.recipients.every(({ address, class: wanted }) => {
    const found = reading.recipients.find((one) => address === null || one.address === address)
    return found && (label.class === 'mixed' ? [wanted] : [wanted, ...label.accept]).includes(found.class)
  })
}

const isLiveCalledHard = (label: Labeled, { recipients }: Reading): boolean =>
  label.recipients.some(
    (wanted) =>
      wanted.class !== 'hard' &&
      !label.accept.includes('hard') &&
      recipients.some((one) => one.class === 'hard' && (one.address ?? wanted.address) === wanted.address),
  )

const { messages } = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')) as { messages: Labeled[] }
const scores = new Map<string, { right: number; all: number }>()
const wrong: string[] = []
let liveCalledHard = 0
const started = performance.now()
for (const label of messages) {
  const reading = await read(label.file)
  const score = scores.get(label.class) ?? { right: 0, all: 0 }
  scores.set(label.class, score)
  score.all++
  if (isLiveCalledHard(label, reading)) liveCalledHard++
  if (isRight(label, reading)) score.right++
  else {
    const said = (list: Reading['recipients']) => list.map((one) => `${one.class} ${one.address ?? '?'}`).join(', ')
    wrong.push(
      `  ${label.file}\n    expected ${label.class}: ${said(label.recipients)}\n    found ${reading.kind}: ${said(reading.recipients)}`,
    )
  }
}
const ms = (performance.now() - started) / messages.length

const percent = (right: number, all: number) => `${((100 * right) / all).toFixed(1).padStart(5)} %`
console.log(`${messages.length} messages, ${ms.toFixed(1)} ms each`)
for (const [name, { right, all }] of [...scores].sort(([a], [b]) => a.localeCompare(b)))
  console.log(`${name.padEnd(14)}${String(right).padStart(5)} of ${String(all).padStart(4)}  ${percent(right, all)}`)
const right = [...scores.values()].reduce((sum, one) => sum + one.right, 0)
console.log(
  `${'total'.padEnd(14)}${String(right).padStart(5)} of ${String(messages.length).padStart(4)}  ${percent(right, messages.length)}`,
)
console.log(`live addresses called hard: ${liveCalledHard}`)
if (wrong.length > 0) console.log(`\nwrong:\n${wrong.join('\n')}`)
