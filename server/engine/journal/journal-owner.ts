/** Who holds a journal: a thread of a process. */
import { threadId } from 'node:worker_threads'
import { thisProcess } from '#server/platform/process-identity.ts'
import type { JournalOwner } from '../types.ts'

export function thisOwner(): JournalOwner {
  return { ...thisProcess(), thread: threadId }
}
