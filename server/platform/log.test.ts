import { expect, test, vi } from 'vitest'
import { createLog } from './log.ts'

/** A log and what it wrote. */
function createTestLog() {
  const lines: { msg: string; omitted?: number }[] = []
  return { lines, log: createLog({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) }) }
}

const diskFull = () => Object.assign(new Error('could not extend file'), { code: '53100' })
const cutOff = () => new Error('Connection terminated unexpectedly')

test('log: lines about a full disk are written once a minute for each text, those about an outage once', () => {
  const { lines, log } = createTestLog()
  for (let i = 0; i < 100; i++) {
    log.error({ err: diskFull() }, 'request failed')
    log.error({ err: Object.assign(new Error('write'), { code: 'ENOSPC' }) }, 'a part did not stop')
    log.error({ err: cutOff() }, 'request failed')
    log.error({ err: cutOff() }, 'a job failed')
  }
  expect(lines.map(({ msg }) => msg)).toEqual(['request failed', 'a part did not stop', 'request failed'])
})

test('log: any other line is written each time', () => {
  const { lines, log } = createTestLog()
  for (let i = 0; i < 3; i++) log.error({ err: new Error('odd') }, 'request failed')
  log.info('a text alone')
  log.info({ id: 1 })
  expect(lines).toHaveLength(5)
})

test('log: after a minute a line says how many were omitted', ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { lines, log } = createTestLog()
  for (let i = 0; i < 5; i++) log.error({ err: diskFull() }, 'request failed')
  vi.advanceTimersByTime(60_000)
  log.error({ err: diskFull() }, 'request failed')
  expect(lines.map(({ omitted }) => omitted)).toEqual([undefined, 4])
})
