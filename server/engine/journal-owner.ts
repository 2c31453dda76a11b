/** Who holds a journal: a thread of a process. */
import { threadId } from 'node:worker_threads'
import { stateOf, thisProcess } from '#server/platform/process-identity.ts'
import type { JournalOwner } from './types.ts'

const STALE_MS = 60_000

export function thisOwner(): JournalOwner {
  return { ...thisProcess(), thread: threadId }
}

/** Whether the owner still runs; `touched` is when its journal last changed (ms), which decides where its process cannot be seen. */
export function isAlive(owner: JournalOwner, touched: number): boolean {
  const state = stateOf(owner)
  return state === 'unknown' ? Date.now() - touched < STALE_MS : state === 'running'
}
