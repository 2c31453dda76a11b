import { parentPort } from 'node:worker_threads'

/** What a bounded thread says: that it is there, what came of a task, that the task was too much, or what broke. */
export type ThreadReply = { ready: true } | { value: unknown } | { limit: true } | { failure: string }

/** Inside a bounded thread: does each task it is given and says what came of it. */
export function serveTasks<Task>(work: (task: Task) => unknown): void {
  async function reply(task: Task): Promise<ThreadReply> {
    try {
      return { value: await work(task) }
    } catch (error) {
      // Parsers of HTML and CSS are recursive: nesting deeper than the stack ends like this.
      if (error instanceof RangeError) return { limit: true }
      return { failure: (error as Error).stack ?? String(error) }
    }
  }
  parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await reply(task)))
  parentPort?.postMessage({ ready: true } satisfies ThreadReply)
}
