import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isOwnerGone, journalHome, listOrphans, type Outcome, openJournal, readJournal, thisOwner } from '../index.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'journal-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const sent: Outcome = {
  kind: 'sent',
  code: 250,
  enhanced: '2.0.0',
  response: 'ok "\u2028',
  class: null,
  at: '2026-11-21T06:00:00.000Z',
}

test('journal: entries are read back, and the last entry of a message counts', async () => {
  const journal = openJournal(dir, 'claim-1')
  await Promise.all([journal.handing('1'), journal.handing('2')])
  journal.replied('1', sent)
  expect(readJournal(journal.file).get('2')).toBe('handing')
  journal.close()
  expect([...readJournal(journal.file)]).toEqual([
    ['1', sent],
    ['2', 'handing'],
  ])
  await expect(journal.handing('3')).rejects.toThrow('closed')
  journal.remove()
  expect(() => readFileSync(journal.file)).toThrow()
})

test('journal: a reply is on disk one turn after it arrived', async () => {
  const journal = openJournal(dir, 'claim-1')
  await journal.handing('1')
  journal.replied('1', sent)
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(readJournal(journal.file).get('1')).toEqual(sent)
  journal.remove()
})

test('journal: a file truncated anywhere is read as a prefix of its entries', async () => {
  const journal = openJournal(dir, 'claim-1')
  for (let i = 0; i < 20; i++) {
    await journal.handing(`${i}`)
    journal.replied(`${i}`, sent)
  }
  journal.close()
  const whole = readFileSync(journal.file)
  fc.assert(
    fc.property(fc.nat(whole.length), (length) => {
      writeFileSync(journal.file, whole)
      truncateSync(journal.file, length)
      const entries = [...readJournal(journal.file)]
      entries.forEach(([id, entry], i) => {
        expect(id).toBe(`${i}`)
        if (i < entries.length - 1) expect(entry).toEqual(sent)
      })
    }),
  )
  writeFileSync(journal.file, whole)
  appendFileSync(journal.file, '00000000 H 99\ngarbage')
  expect(readJournal(journal.file).has('99')).toBe(false)
})

test('journal: a claim has one journal, and its id must be a plain file name', () => {
  openJournal(dir, 'claim-1')
  expect(() => openJournal(dir, 'claim-1')).toThrow('EEXIST')
  expect(() => openJournal(dir, '../evil')).toThrow('cannot name')
})

test('journal: the id of a journal folder does not change', () => {
  expect(journalHome(dir)).toMatch(/^[\da-f-]{36}$/)
  expect(journalHome(dir)).toBe(journalHome(dir))
})

test('journal: after kill -9 it is an orphan, and exactly the messages without a reply are in flight', async () => {
  const child = fork(fileURLToPath(new URL('journal.fixture.ts', import.meta.url)), [dir], { execArgv: [] })
  const [inFlight] = (await once(child, 'message')) as [string[]]
  expect(listOrphans(dir)).toEqual([])
  child.kill('SIGKILL')
  await once(child, 'exit')
  const orphans = listOrphans(dir)
  expect(orphans).toMatchObject([{ claimId: 'killed', owner: { pid: child.pid } }])
  const entries = readJournal(orphans[0]?.file ?? '')
  expect(entries.size).toBe(1003)
  expect([...entries].filter(([, entry]) => entry === 'handing').map(([id]) => id)).toEqual(inFlight)
})

test('journal: it is an orphan if its process id now belongs to another process', () => {
  const journal = openJournal(dir, 'claim-1')
  expect(listOrphans(dir)).toEqual([])
  expect(listOrphans(dir, (owner) => owner.pid === process.pid)).toHaveLength(1)
  journal.remove()
})

test('journal: an owner in another container has not ended, though its process and thread have ids of ours', () => {
  const own = thisOwner()
  const isLive = (thread: number) => thread === own.thread
  expect(isOwnerGone(own, isLive)).toBe(false)
  expect(isOwnerGone({ ...own, thread: own.thread + 1 }, isLive)).toBe(true)
  expect(isOwnerGone({ ...own, start: '1' }, isLive)).toBe(true)
  for (const elsewhere of [{ namespace: 'pid:[1]' }, { boot: 'another boot' }])
    for (const thread of [own.thread, own.thread + 1])
      expect(isOwnerGone({ ...own, ...elsewhere, thread }, isLive)).toBe(false)
})
