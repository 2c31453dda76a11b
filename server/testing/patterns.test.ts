import { expect, test } from 'vitest'
import { type FoundPattern, findPatterns, hostileTexts } from './patterns.ts'

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

/** A text on which the time grows with the square of its length or faster; undefined when none is known. */
function slowText(pattern: FoundPattern): string | undefined {
  return hostileTexts(pattern, LENGTH).find((text) => {
    if (run(pattern, text) < SUSPICIOUS || best(pattern, text, 3) < SUSPICIOUS) return false
    // Four times as long: a linear one takes 4 times, a quadratic one 16 times.
    return best(pattern, text.repeat(4), 3) > 9 * best(pattern, text, 5)
  })
}

test('patterns: the search reports quadratic regular expressions and accepts linear ones', () => {
  const pattern = (source: string, flags = '') => ({ file: '', source, flags })
  for (const slow of ['a+b', String.raw`\s+$`, '<img[^>]*>', String.raw`url\(([^)]+)\)`, '(?:x|y)*!'])
    expect(slowText(pattern(slow, 'g')), slow).toBeDefined()
  for (const linear of ['(?<!a)a+b', '<img[^<>]*>', '[a-z]+', '^a+b', String.raw`\d{1,5}x`])
    expect(slowText(pattern(linear, 'g')), linear).toBeUndefined()
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
        const text = slowText(pattern)
        return text === undefined
          ? []
          : [`${pattern.file} /${pattern.source}/${pattern.flags} on ${text.slice(0, 40)}…`]
      })
    expect(slow).toEqual([])
  },
)
