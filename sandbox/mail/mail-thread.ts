import { Worker } from 'node:worker_threads'
import type { SandboxMail } from '#contracts/sandbox/sandbox.ts'
import type { Mailbox } from '#server/features/sandbox/index.ts'
import type { Log } from '#server/platform/log.ts'
import type { FromThread, Question, ThreadData } from './protocol.ts'

type WaitingCall = { resolve: (value: never) => void; reject: (error: Error) => void }

export interface MailThread {
  port: number
  mails: Mailbox
  stop(): Promise<void>
}

/** Starts the thread; resolves once it listens. */
export async function startMailThread(data: ThreadData, log: Log): Promise<MailThread> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: data })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const waiting = new Map<number, WaitingCall>()
  const listeners = new Set<(mail: SandboxMail) => void>()
  let lastId = 0
  let stopping = false
  const port = await new Promise<number>((resolve, reject) => {
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'ready') resolve(message.port)
      else if (message.kind === 'trouble') log.error({ reason: message.message }, 'the sandbox could not keep mail')
      else if (message.kind === 'mails')
        for (const mail of message.mails) for (const listener of listeners) listener(mail)
      else if (message.kind === 'answer') take(message.id)?.resolve(message.value as never)
      else if (message.kind === 'failed') take(message.id)?.reject(new Error(message.message))
    })
    worker.once('error', (error) => {
      reject(error)
      log.error({ err: error }, 'the sandbox failed; mail is not taken until the next start')
    })
    worker.once('exit', () => {
      const error = new Error('the sandbox has ended')
      reject(error)
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
      if (!stopping) log.error('the sandbox ended unexpectedly')
    })
  })
  function take(id: number): WaitingCall | undefined {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }
  function ask<T>(method: Question['method'], ...args: unknown[]): Promise<T> {
    if (stopping) return Promise.reject(new Error('the sandbox is stopping'))
    return new Promise<T>((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject })
      worker.postMessage({ id: lastId, method, args } satisfies Question)
    })
  }
  const watching = (on: boolean) => worker.postMessage({ method: 'watch', on })
  return {
    port,
    mails: {
      list: (given) => ask('list', given),
      open: (id) => ask('open', id),
      source: (id) => ask('source', id),
      attachment: (id, index) => ask('attachment', id, index),
      clear: () => ask('clear'),
      watch(listener) {
        if (listeners.size === 0) watching(true)
        listeners.add(listener)
        return () => {
          if (listeners.delete(listener) && listeners.size === 0) watching(false)
        }
      },
    },
    async stop() {
      stopping = true
      worker.postMessage({ method: 'close' })
      await ended
    },
  }
}
