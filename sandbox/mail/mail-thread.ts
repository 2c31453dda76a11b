import type { SandboxMail } from '#contracts/sandbox/sandbox.ts'
import { isInScope, type Mailbox, type SandboxScope } from '#server/features/sandbox/index.ts'
import type { Log } from '#server/platform/log.ts'
import { SupervisedThread } from '#server/platform/threads/supervised.ts'
import type { FromThread, Question, ThreadData } from './protocol.ts'

const STOP_MS = 10_000
/** Emails come and go: three semi-spaces of 2 MiB. */
const YOUNG_MB = 6

type WaitingCall = { resolve: (value: never) => void; reject: (error: Error) => void }

export interface MailThread {
  port: number
  mails: Mailbox
  stop(): Promise<void>
}

/** Starts the thread; resolves once it listens, and rejects where its port is taken. */
export async function startMailThread(data: ThreadData, log: Log): Promise<MailThread> {
  const listeners = new Map<(mail: SandboxMail) => void, SandboxScope>()
  const calls = createCalls()
  // A thread that is started again listens where the first did.
  const workerData = { ...data }
  let thread: SupervisedThread<FromThread> | undefined
  const watch = () => thread?.post({ method: 'watch', on: listeners.size > 0 })
  try {
    workerData.port = await new Promise<number>((resolve, reject) => {
      thread = new SupervisedThread<FromThread>(
        { log },
        {
          name: 'sandbox mail',
          file: new URL('./thread.ts', import.meta.url),
          workerData,
          resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
          stopMs: STOP_MS,
          onMessage(message) {
            if (message.kind === 'trouble') log.error({ reason: message.message }, 'the sandbox could not keep mail')
            else if (message.kind === 'mails')
              for (const mail of message.mails)
                for (const [listener, scope] of listeners) isInScope(scope, mail) && listener(mail)
            else if (message.kind === 'ready') {
              resolve(message.port)
              watch()
            } else calls.settle(message)
          },
          onStart(worker) {
            worker.once('error', reject)
            return () => {
              calls.rejectAll()
              reject(new Error('the sandbox has ended'))
            }
          },
        },
      )
    })
  } catch (error) {
    await thread?.stop()
    throw error
  }
  const ask = <T>(method: Question['method'], ...args: unknown[]) =>
    calls.open<T>((id) => thread?.post({ id, method, args } satisfies Question) === true)
  return {
    port: workerData.port,
    mails: {
      list: (given) => ask('list', given),
      open: (scope, id) => ask('open', scope, id),
      source: (scope, id) => ask('source', scope, id),
      attachment: (scope, id, index) => ask('attachment', scope, id, index),
      clear: (scope) => ask('clear', scope),
      watch(scope, listener) {
        listeners.set(listener, scope)
        if (listeners.size === 1) watch()
        return () => {
          if (listeners.delete(listener) && listeners.size === 0) watch()
        }
      },
    },
    stop: async () => thread?.stop(),
  }
}

/** Questions that wait for an answer from the thread, by the number both carry. */
function createCalls() {
  const waiting = new Map<number, WaitingCall>()
  let lastId = 0
  return {
    /** `post` returns whether the thread heard it. */
    open: <T>(post: (id: number) => boolean) =>
      new Promise<T>((resolve, reject) => {
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        if (post(lastId)) return
        waiting.delete(lastId)
        reject(new Error('the sandbox is not running'))
      }),
    settle(answer: Extract<FromThread, { kind: 'answer' | 'failed' }>): void {
      const call = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (answer.kind === 'answer') call?.resolve(answer.value as never)
      else call?.reject(new Error(answer.message))
    },
    rejectAll(): void {
      for (const { reject } of waiting.values()) reject(new Error('the sandbox has ended'))
      waiting.clear()
    },
  }
}
