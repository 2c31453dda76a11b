/**
 * How well contacts are found on labeled pages (bench/extraction/README.md), beside what others use: precision, recall
 * and F1 of the development cases in total and by group, of the held-out ones in total (`--groups`: by group too).
 * `--failures` lists what went wrong, `--of "<contender>"` for another one than ours.
 */
import { existsSync, readFileSync } from 'node:fs'
import { domainToASCII } from 'node:url'
import { parseArgs } from 'node:util'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type Case, type Contender, emailRivals, phoneRivals } from './extraction/rivals.ts'

type ContactKind = 'email' | 'phone'
type ExtractContacts = (
  html: string,
  options: { url: string; country?: string },
) => { kind: ContactKind; value: string }[]

interface Score {
  right: number
  wrong: number
  missed: number
}

const { values } = parseArgs({
  options: {
    failures: { type: 'boolean', default: false },
    of: { type: 'string', default: 'ours' },
    groups: { type: 'boolean', default: false },
  },
})

/** The product's extractor, or nothing while there is none. */
async function loadOurs(): Promise<ExtractContacts | undefined> {
  const path = new URL('../server/crawler/index.ts', import.meta.url)
  if (!existsSync(path)) return undefined
  const crawler: { extractContacts?: ExtractContacts } = await import(path.href)
  return crawler.extractContacts
}

/** What the extractor was made with, and what was written afterwards, without sight of it, to see how it does. */
const SETS = {
  development: ['*'],
  'held out, A': ['held-out/*-a'],
  'held out, B': ['held-out/*-b'],
  'held out, C': ['held-out/*-c'],
  'held out, D': ['held-out/*-d'],
}

function readCases(name: string): Case[] {
  return JSON.parse(readFileSync(new URL(`./extraction/${name}.json`, import.meta.url), 'utf8'))
}

/** The same form for everybody: domains in lower case and ASCII, local parts as written. */
function normal(kind: ContactKind, value: string): string {
  if (kind === 'phone') return value
  const at = value.lastIndexOf('@')
  const domain = value.slice(at + 1)
  return `${value.slice(0, at)}@${domainToASCII(domain) || domain.toLowerCase()}`
}

/** A wrong label is worse than none: every label has to be a valid number or an address in its normal form. */
function checkLabels(kind: ContactKind, cases: Case[]): void {
  const ids = new Set<string>()
  for (const { id, expect } of cases) {
    if (ids.has(id)) throw new Error(`two cases are called ${id}`)
    ids.add(id)
    for (const value of expect) {
      const phone = kind === 'phone' ? parsePhoneNumberFromString(value.replace(/;ext=.*/, '')) : undefined
      const sound =
        kind === 'phone' ? phone?.isValid() && value.startsWith(phone.number) : normal(kind, value) === value
      if (!sound) throw new Error(`${id}: the label ${value} is wrong`)
    }
  }
}

function tally(
  kind: ContactKind,
  given: Case,
  contender: Contender,
): { wrong: string[]; missed: string[]; right: number } {
  const found = new Set(contender(given).map((value) => normal(kind, value)))
  const accepted = new Set([...given.expect, ...(given.allow ?? [])])
  const missed = given.expect.filter((value) => !found.has(value))
  const wrong = [...found].filter((value) => !accepted.has(value))
  return { wrong, missed, right: given.expect.length - missed.length }
}

const share = (part: number, whole: number) => (whole === 0 ? '    –' : ((100 * part) / whole).toFixed(1).padStart(5))

/** Precision, recall and F1 in percent; a group that has nothing to find shows its false findings. */
function figures({ right, wrong, missed }: Score): string {
  if (right + missed === 0) return `${String(wrong).padStart(5)} false     `
  return `${share(right, right + wrong)} ${share(right, right + missed)} ${share(2 * right, 2 * right + wrong + missed)}`
}

function run(
  title: string,
  kind: ContactKind,
  cases: Case[],
  contenders: Record<string, Contender>,
  isWhole: boolean,
): void {
  checkLabels(kind, cases)
  const groups = isWhole ? [...new Set(cases.map(({ group }) => group))] : []
  const names = Object.keys(contenders)
  const scores = new Map<string, Score>()
  const score = (name: string, group: string) => {
    const key = `${name} ${group}`
    const known = scores.get(key) ?? { right: 0, wrong: 0, missed: 0 }
    scores.set(key, known)
    return known
  }
  const whole = new Map<string, number>()
  const failures: string[] = []
  for (const [name, contender] of Object.entries(contenders)) {
    for (const given of cases) {
      const { right, wrong, missed } = tally(kind, given, contender)
      for (const group of isWhole ? [given.group, 'total'] : ['total']) {
        const sum = score(name, group)
        sum.right += right
        sum.wrong += wrong.length
        sum.missed += missed.length
      }
      if (wrong.length + missed.length === 0) whole.set(name, (whole.get(name) ?? 0) + 1)
      else if (name === values.of) {
        failures.push(`  ${given.id}  missed: ${missed.join(' ') || 'none'}  wrong: ${wrong.join(' ') || 'none'}`)
      }
    }
  }
  const negatives = cases.filter(({ expect }) => expect.length === 0).length
  const labels = cases.reduce((sum, { expect }) => sum + expect.length, 0)
  console.log(`\n${title}: ${cases.length} cases, ${labels} to be found, ${negatives} cases with nothing to be found`)
  console.log(`percent${' '.repeat(13)}${names.map((name) => name.padStart(24)).join('')}`)
  console.log(`${' '.repeat(20)}${names.map(() => ' prec. recall F1'.padStart(24)).join('')}`)
  for (const group of ['total', ...groups]) {
    console.log(`${group.padEnd(20)}${names.map((name) => figures(score(name, group)).padStart(24)).join('')}`)
  }
  const solved = names.map((name) => share(whole.get(name) ?? 0, cases.length).padStart(24))
  console.log(`${'cases wholly right'.padEnd(20)}${solved.join('')}`)
  if (values.failures) console.log(`\n${failures.length} failing cases of "${values.of}":\n${failures.join('\n')}`)
}

const extract = await loadOurs()
if (!extract) console.log('ours: not there yet')
const ours = (kind: ContactKind): Record<string, Contender> =>
  extract
    ? {
        ours: ({ html, url = 'https://site.invalid/', country }) =>
          extract(html, { url, ...(country && { country }) })
            .filter((finding) => finding.kind === kind)
            .map(({ value }) => value),
      }
    : {}
for (const [set, files] of Object.entries(SETS)) {
  const isWhole = values.groups || set === 'development'
  const cases = (kind: string) => files.flatMap((file) => readCases(file.replace('*', kind)))
  run(`Email addresses, ${set}`, 'email', cases('emails'), { ...ours('email'), ...emailRivals }, isWhole)
  run(`Phone numbers, ${set}`, 'phone', cases('phones'), { ...ours('phone'), ...phoneRivals }, isWhole)
}
