import { createHash } from 'node:crypto'

/**
 * Recipients with a fate: British numbers that no one has (Ofcom keeps 07700 900000 to 900999 for drama). The last two
 * digits say what happens, the third last when: 0 in the response, 1 later by webhook,
 * 2 is about lost responses and the order of events.
 */
export type Fate =
  | { when: 'answer' | 'webhook'; code: number; once: boolean }
  | { when: 'wire'; what: 'lost' | 'silent' | 'reset' | 'html' | 'reordered' | 'early' | 'skipped' }

const PREFIX = '447700900'

const CODES: Record<string, number> = {
  '04': 4,
  '15': 132015,
  '16': 132016,
  '26': 131026,
  '29': 130429,
  '31': 131031,
  '42': 131042,
  '47': 131047,
  '48': 131048,
  '49': 131049,
  '50': 131050,
  '56': 131056,
  '61': 131016,
  '68': 368,
  '72': 130472,
  '80': 80007,
  '90': 190,
}
/** What passes by itself is refused the first time only. */
const PASSING = new Set([4, 80007, 130429, 131016, 131056])

const WIRE: Record<string, [Extract<Fate, { when: 'wire' }>['what'], string]> = {
  '00': ['lost', 'taken, the answer is lost, statuses come'],
  '01': ['silent', 'taken, the answer is lost, nothing more is heard'],
  '02': ['reset', 'the connection breaks before anything is taken, once'],
  '03': ['html', 'a page of HTML with status 500, once'],
  '04': ['reordered', 'statuses come backwards and twice'],
  '05': ['early', 'the first status comes before the answer'],
  '06': ['skipped', 'read without delivered'],
}

/** The fate of a number in digits, if it has one. */
export function findFate(digits: string): Fate | undefined {
  if (!digits.startsWith(PREFIX) || digits.length !== 12) return undefined
  const [when, what] = [digits[9], digits.slice(10)]
  if (when === '2') return WIRE[what] && { when: 'wire', what: WIRE[what][0] }
  const code = CODES[what]
  if (code === undefined || (when !== '0' && when !== '1')) return undefined
  return { when: when === '0' ? 'answer' : 'webhook', code, once: when === '0' && PASSING.has(code) }
}

/** What happens to people of a troubled business, each as likely as any other. */
const CHANCES: Fate[] = [
  { when: 'answer', code: 131016, once: true },
  { when: 'answer', code: 131056, once: true },
  { when: 'answer', code: 131026, once: false },
  { when: 'webhook', code: 131026, once: false },
  { when: 'webhook', code: 131049, once: false },
  { when: 'webhook', code: 131050, once: false },
  { when: 'webhook', code: 130472, once: false },
  { when: 'wire', what: 'lost' },
  { when: 'wire', what: 'silent' },
  { when: 'wire', what: 'reset' },
  { when: 'wire', what: 'html' },
  { when: 'wire', what: 'reordered' },
  { when: 'wire', what: 'early' },
  { when: 'wire', what: 'skipped' },
]

/** The fate of a number where a share of them is troubled: the same each time, so that figures can be checked. */
export function findRandomFate(digits: string, share = 0): Fate | undefined {
  if (share === 0) return undefined
  const hash = createHash('sha256').update(digits).digest()
  return hash.readUInt32BE(0) / 2 ** 32 < share ? CHANCES[hash.readUInt32BE(4) % CHANCES.length] : undefined
}

/** Every magic number with what it does, for people. */
export function magicNumbers(): { phone: string; code: number; what: string }[] {
  const byCode = Object.entries(CODES).flatMap(([digits, code]) => [
    { phone: `+${PREFIX}0${digits}`, code, what: PASSING.has(code) ? 'refused the first time' : 'refused' },
    { phone: `+${PREFIX}1${digits}`, code, what: 'taken, then failed by webhook' },
  ])
  return [
    ...byCode,
    ...Object.entries(WIRE).map(([digits, [, what]]) => ({ phone: `+${PREFIX}2${digits}`, code: 0, what })),
  ]
}
