import { expect, test } from 'vitest'
import { findUnsupported } from './index.ts'

test.each<[text: string, version: number, problem: RegExp | undefined]>([
  ['PostgreSQL 15.16 (Debian 15.16-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc', 150_016, undefined],
  ['PostgreSQL 18.4 on x86_64-pc-linux-musl, compiled by gcc', 180_004, undefined],
  ['PostgreSQL 14.20 on x86_64-pc-linux-gnu, compiled by gcc', 140_020, /^PostgreSQL 14 is not supported\.$/],
  ['PostgreSQL 15.12-YB-2025.2.3.0-b1 on x86_64-pc-linux-gnu, compiled by clang', 150_012, /YugabyteDB.*transition/],
  [
    'CockroachDB CCL v26.2.0 (x86_64-pc-linux-gnu, built 2026/05/04 16:12:31, go1.25.5)',
    180_000,
    /CockroachDB.*LISTEN/,
  ],
])('database: %s is supported or refused with a reason', (text, version, problem) => {
  const found = findUnsupported(text, version)
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toEqual({ problem: expect.stringMatching(problem), advice: 'Use PostgreSQL 15 or newer.' })
})
