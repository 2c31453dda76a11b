/**
 * The journal of a claim: what was being handed over, and what became of it. It survives kill -9 of this process (not of the machine):
 * a hand-over is with the operating system before its message leaves, so only messages truly in flight are without an answer afterwards.
 *
 * One record a line: `<crc32> <H|A> <recipient id>[ <outcome as JSON>]`. The first line names the owner.
 */

import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { findProcessState } from '#server/platform/process-identity.ts'
import type { Journal, JournalEntry, JournalOwner, Orphan, Outcome } from '../types.ts'
import { thisOwner } from './journal-owner.ts'

const SUFFIX = '.journal'
const HOME = 'home-id'

const record = (body: string) => `${crc32(body).toString(16).padStart(8, '0')} ${body}\n`

/** Opens a new journal for a claim. Throws when the claim already has one, or the disk refuses. */
export function openJournal(dir: string, claimId: string): Journal {
  if (!/^[\w-]{1,100}$/.test(claimId)) throw new Error(`${JSON.stringify(claimId)} cannot name a journal`)
  mkdirSync(dir, { recursive: true })
  const file = path.join(dir, claimId + SUFFIX)
  const fd = openSync(file, 'ax', 0o600)
  return new FileJournal(file, fd)
}

/** Adds what became of a message to the journal of a claim whose owner is gone. Throws when there is none, or the disk refuses. */
export function appendOutcome(dir: string, claimId: string, recipientId: string, outcome: Outcome): void {
  const fd = openSync(path.join(dir, claimId + SUFFIX), constants.O_WRONLY | constants.O_APPEND)
  try {
    // On a line of its own: the last one may be torn.
    writeSync(fd, `\n${record(`A ${recipientId} ${JSON.stringify(outcome)}`)}`)
  } finally {
    closeSync(fd)
  }
}

class FileJournal implements Journal {
  readonly file: string
  #fd: number
  #size = 0
  /** Replies and hand-overs to be written at the end of this turn of the event loop, in one write. */
  #replies = ''
  #handings = ''
  #handed: PromiseWithResolvers<void> | null = null
  #flush: NodeJS.Immediate | null = null
  #open = true

  constructor(file: string, fd: number) {
    this.file = file
    this.#fd = fd
    this.#write(record(`O ${JSON.stringify(thisOwner())}`))
  }

  handing(recipientId: string): Promise<void> {
    if (!this.#open) return Promise.reject(new Error('the journal is closed'))
    this.#handings += record(`H ${recipientId}`)
    this.#handed ??= Promise.withResolvers()
    this.#flushSoon()
    return this.#handed.promise
  }

  replied(recipientId: string, outcome: Outcome): void {
    this.#replies += record(`A ${recipientId} ${JSON.stringify(outcome)}`)
    this.#flushSoon()
  }

  close(): void {
    if (!this.#open) return
    this.#settle()
    this.#open = false
    if (this.#flush) clearImmediate(this.#flush)
    closeSync(this.#fd)
  }

  remove(): void {
    this.close()
    rmSync(this.file, { force: true })
  }

  #flushSoon(): void {
    this.#flush ??= setImmediate(() => {
      this.#flush = null
      if (this.#open) this.#settle()
    })
  }

  /**
   * Writes what waits. Without it no message of this turn is handed over. Replies are tried again with the next ones: one that cannot be
   * written (disk full) leaves its message unconfirmed after a kill, which is true to what is known.
   */
  #settle(): void {
    const handed = this.#handed
    const text = this.#replies + this.#handings
    this.#handings = ''
    this.#handed = null
    try {
      if (text) this.#write(text)
      this.#replies = ''
      handed?.resolve()
    } catch (error) {
      handed?.reject(error)
    }
  }

  #write(text: string): void {
    if (!this.#open) throw new Error('the journal is closed')
    const bytes = Buffer.from(text)
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written)
      this.#size += bytes.length
    } catch (error) {
      // A torn record must not spoil the next one.
      if (written > 0) ftruncateSync(this.#fd, this.#size)
      throw error
    }
  }
}

function readRecords(file: string): string[] {
  const records: string[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const body = line.slice(9)
    // Only a torn record fails this, and what it would have said did not happen for sure.
    if (line[8] === ' ' && record(body) === `${line}\n`) records.push(body)
  }
  return records
}

/** Every recipient a journal names with the last thing known; `handing` means outcome unknown. A torn last record is skipped. */
export function readJournal(file: string): Map<string, JournalEntry> {
  const entries = new Map<string, JournalEntry>()
  for (const body of readRecords(file)) {
    const [kind, id = ''] = body.split(' ', 2)
    if (kind === 'H') entries.set(id, 'handing')
    if (kind === 'A') entries.set(id, JSON.parse(body.slice(3 + id.length)) as Outcome)
  }
  return entries
}

/**
 * Journals in `dir` whose owner does not run, or is in another container or of another boot, where it cannot be seen: whether
 * that one is gone only the lease of its claim tells. `isGone` may say so of an owner that looks alive, e.g. a stopped thread of this process.
 */
export function listOrphans(dir: string, isGone: (owner: JournalOwner) => boolean = () => false): Orphan[] {
  if (!existsSync(dir)) return []
  const orphans: Orphan[] = []
  for (const name of readdirSync(dir)) {
    if (!name.endsWith(SUFFIX)) continue
    const file = path.join(dir, name)
    try {
      const touched = statSync(file).mtimeMs
      const first = readRecords(file)[0]
      const owner = first?.startsWith('O ') ? (JSON.parse(first.slice(2)) as JournalOwner) : null
      // Without an owner it was torn in its first write, or is being created right now.
      const state = owner ? findProcessState(owner) : Date.now() - touched < 2000 ? 'running' : 'gone'
      const certain = state === 'gone' || (owner !== null && isGone(owner))
      if (state !== 'running' || certain)
        orphans.push({ file, claimId: name.slice(0, -SUFFIX.length), owner, isGone: certain, touched })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return orphans
}

/** A random id, stored in `dir`. Store it with each claim: only the home that made a claim has the journal to settle it with. */
export function journalHome(dir: string): string {
  mkdirSync(dir, { recursive: true })
  const file = path.join(dir, HOME)
  try {
    writeFileSync(file, randomUUID(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
