/** Who holds a journal, or a share of a sender: a thread of a process. */
import { threadId } from 'node:worker_threads'
import { findProcessState, thisProcess } from '#server/platform/process-identity.ts'
import type { JournalOwner } from '../types.ts'

export function thisOwner(): JournalOwner {
  return { ...thisProcess(), thread: threadId }
}

/**
 * Whether a thread has certainly ended: its process has, or it was a thread of this process that does not live any more.
 * False where it cannot be seen: a process of the same id in another container is another process.
 */
export function isOwnerGone(owner: JournalOwner, isLive: (thread: number) => boolean): boolean {
  const state = findProcessState(owner)
  return state === 'gone' || (state === 'running' && owner.pid === process.pid && !isLive(owner.thread))
}
