/** A channel whose messages wait until the test has taken them, in threads that end when the test says so. */
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'
import { carriedBy, type TextMessage } from '../../channels/memory.fixture.ts'

/** The name under which threads and the test talk. */
export const LINE = 'sending threads'
/** What the test says: it has taken a message, or which thread is to end. */
export type Order = { taken: string } | { end: number }
/** What it is told: a message, and which thread has it. */
export type Carried = TextMessage & { thread: number }

const line = new BroadcastChannel(LINE)
line.unref()
const waiting = new Map<string, () => void>()
line.onmessage = (event) => {
  const { data } = event as { data: Order | Carried }
  if ('taken' in data) waiting.get(data.taken)?.()
  // Of a thread, not of the process.
  if ('end' in data && data.end === threadId && !isMainThread) process.exit(1)
}

export const channel = carriedBy(async (message) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.set(message.to, resolve)
  line.postMessage({ ...message, thread: threadId })
  await promise
  waiting.delete(message.to)
})
