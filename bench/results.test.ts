import { expect, test } from 'vitest'
import { toSection, withSection } from './results.ts'

const measured = {
  name: 'campaign',
  date: '2026-11-25',
  commit: 'abc1234',
  machine: '2 cores',
  versions: 'Node 24',
  printed: 'a line\n',
}
const line = (rate: number) => ({ name: 'ours', value: `${rate} messages/s`, ratio: { of: rate / 100, bar: 6 } })

test('bench results: a line is the middle of its runs, with the lowest and the highest', () => {
  const section = toSection({ ...measured, runs: [[line(700)], [line(500)], [line(600)]] })
  expect(section).toContain('| ours | 600 messages/s | 500 messages/s to 700 messages/s | 6.00 | 6 (reached) |')
  expect(section).toContain('3 runs of abc1234')
})

test('bench results: the lowest and the highest are of the figures, whatever the ratios', () => {
  const fast = { name: 'ours', value: '6234 messages/s', ratio: { of: 4.1, bar: 6 } }
  const slow = { name: 'ours', value: '5907 messages/s', ratio: { of: 4.2, bar: 6 } }
  expect(toSection({ ...measured, runs: [[fast], [slow]] })).toContain(
    '| ours | 6234 messages/s | 5907 messages/s to 6234 messages/s | 4.10 | 6 (missed) |',
  )
})

test('bench results: a benchmark that reports no lines keeps what it printed', () => {
  expect(toSection({ ...measured, runs: [[]] })).toContain('```\na line\n```')
})

test('bench results: a section replaces the one of its name and no other', () => {
  const first = withSection('', 'b', '## b\n\nold\n')
  const both = withSection(first, 'a', '## a\n\nkept\n')
  const file = withSection(both, 'b', '## b\n\nnew\n')
  expect(file).toMatch(/^# Benchmark results/)
  expect(file.indexOf('## a\n\nkept')).toBeLessThan(file.indexOf('## b\n\nnew'))
  expect(file).not.toContain('old')
})
