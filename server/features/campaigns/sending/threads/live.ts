/**
 * Which sending threads of this process live, in memory they share: each tells the journals and shares of another one that lives from those
 * of one that is gone. The thread that starts them writes their ids down before they run, and removes them once they are gone.
 */
import { threadId } from 'node:worker_threads'
import { isOwnerGone, type JournalOwner, thisOwner } from '#server/engine/index.ts'

/** The first one alone settles what was there before the process, and sends single emails. The second one helps it. */
export const [FIRST, SECOND] = [0, 1] as const
export type Place = typeof FIRST | typeof SECOND

const HAS_RECOVERED = 2

/** The id of the thread at each place, 0 where there is none, and whether the first one has settled what was left behind. */
export type LiveThreads = Int32Array

export const newLiveThreads = (): LiveThreads =>
  new Int32Array(new SharedArrayBuffer((HAS_RECOVERED + 1) * Int32Array.BYTES_PER_ELEMENT))

/** A thread was started at a place. Returns what to call when it is gone. */
export function addThread(threads: LiveThreads, place: Place, id: number): () => void {
  Atomics.store(threads, place, id)
  return () => {
    Atomics.store(threads, place, 0)
    if (place === FIRST) Atomics.store(threads, HAS_RECOVERED, 0)
  }
}

export const hasThread = (threads: LiveThreads, place: Place): boolean => Atomics.load(threads, place) !== 0

/** In the first thread: what was left behind is settled, and another one may begin. */
export const noteRecovered = (threads: LiveThreads): unknown => Atomics.store(threads, HAS_RECOVERED, 1)
export const hasRecovered = (threads: LiveThreads): boolean => Atomics.load(threads, HAS_RECOVERED) === 1

/** In a thread: whether the process has no other one. */
export const isOnly = (threads: LiveThreads): boolean =>
  [FIRST, SECOND].every((place) => [0, threadId].includes(Atomics.load(threads, place)))

/** Whether a thread has certainly ended. `alone`: no other process can send, so a thread of any other has. */
export function isGone(threads: LiveThreads, owner: JournalOwner, alone = false): boolean {
  // The main thread has the id 0, and does not send.
  const isLive = (id: number) => id !== 0 && [FIRST, SECOND].some((place) => Atomics.load(threads, place) === id)
  if (!alone) return isOwnerGone(owner, isLive)
  const { pid, start, boot, namespace } = thisOwner()
  const isOurs = owner.pid === pid && owner.start === start && owner.boot === boot && owner.namespace === namespace
  return !(isOurs && isLive(owner.thread))
}
