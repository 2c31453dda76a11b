import { expect, test } from 'vitest'
import { type FoundPattern, findPatterns, type HostileText, hostileTexts, makeText } from './patterns.ts'

/** Those that are given short texts only, or run where time is bounded: with the place that cuts the text. */
const EXEMPT = new Map([
  [
    String.raw`\((iPhone|iPad|iPod).*AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)( Mobile\/\w+)?$`,
    'a user agent of 512 characters',
  ],
  [String.raw`\(Macintosh.*AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)$`, 'a user agent of 512 characters'],
  [String.raw`\bDNS Error\b.*(?:NXDOMAIN|domain name not found)`, 'a diagnostic of a bounce, cut in the same function'],
  [
    String.raw`\b5\.4\.1\b.*Recipient address rejected: Access denied`,
    'a diagnostic of a bounce, cut in the same function',
  ],
  [String.raw`<script\b([^>]*)>([\s\S]*?)<\/script>`, 'pages that we write'],
])

const LENGTH = 4_000
/** Milliseconds a pattern that looks at each character a few times stays far under, for LENGTH characters. */
const SUSPICIOUS = 0.3

function run({ source, flags }: FoundPattern, text: string): number {
  const pattern = new RegExp(source, flags)
  const subject = `${text}\u0001`
  // Of the clock: processor time comes in steps of 4 ms on some machines, which is longer than most runs.
  const before = performance.now()
  if (flags.includes('g')) subject.replace(pattern, '')
  else pattern.test(subject)
  return performance.now() - before
}

/** The best of some runs: what disturbs a run only makes it slower. */
const best = (pattern: FoundPattern, text: string, runs: number) =>
  Math.min(...Array.from({ length: runs }, () => run(pattern, text)))

/** Milliseconds of a run that says enough: a longer one is interrupted more often, on a busy machine always. */
const LONG_ENOUGH = 3
/** Shorter texts say little: what a call costs by itself is then most of the time. */
const SHORTEST = LENGTH / 8
const ROUNDS = 5
/** Processor time to measure a text with, in ms: many of the steps of 4 ms in which some machines count it. */
const MEASURED = 100

/** Milliseconds of processor time of a run: what other programs do meanwhile does not count. */
function processorTimePerRun(pattern: FoundPattern, text: string): number {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    run(pattern, text)
    const { user, system } = process.threadCpuUsage(before)
    const used = (user + system) / 1_000
    if (used >= MEASURED) return used / runs
  }
}

/**
 * Whether four times the text takes more than nine times as long: a linear pattern takes 4 times, a quadratic one 16 times.
 * The clock clears most linear ones at once. It is far from enough on a busy machine, so processor time decides the rest.
 */
function growsFast(pattern: FoundPattern, hostile: HostileText): boolean {
  let length = LENGTH
  while (length > SHORTEST && best(pattern, makeText(hostile, length), 3) > LONG_ENOUGH) length /= 2
  const [text, fourTimes] = [makeText(hostile, length), makeText(hostile, 4 * length)]
  // Before and after: the short runs are over so soon that one burst of other work can slow all of them.
  const before = best(pattern, text, ROUNDS)
  const long = best(pattern, fourTimes, ROUNDS)
  if (long <= 5 * Math.min(before, best(pattern, text, ROUNDS))) return false
  return processorTimePerRun(pattern, fourTimes) > 9 * processorTimePerRun(pattern, text)
}

/** A text on which the time grows with the square of its length or faster; undefined when none is known. */
function findSlowText(pattern: FoundPattern): string | undefined {
  const slow = hostileTexts(pattern).find((hostile) => {
    const text = makeText(hostile, LENGTH)
    return run(pattern, text) >= SUSPICIOUS && best(pattern, text, 3) >= SUSPICIOUS && growsFast(pattern, hostile)
  })
  return slow && makeText(slow, LENGTH)
}

test('patterns: the search reports quadratic regular expressions and accepts linear ones', () => {
  const pattern = (source: string, flags = '') => ({ file: '', source, flags })
  for (const slow of ['a+b', String.raw`\s+$`, '<img[^>]*>', String.raw`url\(([^)]+)\)`, '(?:x|y)*!'])
    expect(findSlowText(pattern(slow, 'g')), slow).toBeDefined()
  for (const linear of ['(?<!a)a+b', '<img[^<>]*>', '[a-z]+', '^a+b', String.raw`\d{1,5}x`])
    expect(findSlowText(pattern(linear, 'g')), linear).toBeUndefined()
})

// The crawler's patterns run in a thread of their own, bounded in time.
test.for(['contracts', 'server/adapters', 'server/engine', 'server/features', 'server/platform'])(
  'patterns: every regular expression of %s takes time in proportion to its text',
  { timeout: 120_000 },
  (folder) => {
    const patterns = new Map(findPatterns(folder).map((pattern) => [pattern.source + pattern.flags, pattern]))
    expect(patterns.size).toBeGreaterThan(5)
    const slow = [...patterns.values()]
      .filter(({ source }) => !EXEMPT.has(source))
      .flatMap((pattern) => {
        const text = findSlowText(pattern)
        return text === undefined
          ? []
          : [`${pattern.file} /${pattern.source}/${pattern.flags} on ${text.slice(0, 40)}…`]
      })
    expect(slow).toEqual([])
  },
)
