import { parentPort } from 'node:worker_threads'

/** What a bounded thread says: whether it has loaded what it needs, what came of a task, that the task was too much, or what broke. */
export type ThreadReply = { ready: boolean } | { value: unknown } | { limit: true } | { failure: string }

/**
 * Inside a bounded thread: does each task it is given and says what came of it. `load`: what a task needs besides, when it is
 * not there yet; the task's time begins after it. For threads that are given one task at a time.
 */
export function serveTasks<Task>(
  work: (task: Task) => unknown,
  load: (task: Task) => Promise<unknown> | undefined = () => undefined,
): void {
  const say = (reply: ThreadReply) => parentPort?.postMessage(reply)

  async function reply(task: Task): Promise<ThreadReply> {
    try {
      const loading = load(task)
      if (loading) {
        say({ ready: false })
        await loading
        say({ ready: true })
      }
      return { value: await work(task) }
    } catch (error) {
      // Parsers of HTML and CSS are recursive: nesting deeper than the stack ends like this.
      if (error instanceof RangeError) return { limit: true }
      return { failure: (error as Error).stack ?? String(error) }
    }
  }
  parentPort?.on('message', async (task: Task) => say(await reply(task)))
  say({ ready: true })
}
