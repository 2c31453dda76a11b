import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'

/** Events inside one process: a topic such as `campaign:12` and a plain value. What must survive or cross processes is read from the database. */
export class Live {
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  publish(topic: string, value: unknown): void {
    this.#emitter.emit(topic, value)
  }

  /** Answers a function that ends the subscription. */
  subscribe(topic: string, listener: (value: unknown) => void): () => void {
    this.#emitter.on(topic, listener)
    return () => this.#emitter.off(topic, listener)
  }
}

/** A stream of server-sent events over one reply; `start` answers what to do when the reader leaves. */
export function serveEvents(
  reply: FastifyReply,
  start: (send: (event: string, data: unknown) => void, end: () => void) => () => void,
): void {
  reply.hijack()
  const raw = reply.raw
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  })
  raw.write(':\n\n')
  let stop: () => void = () => undefined
  let ended = false
  const beat = setInterval(() => raw.write(':\n\n'), 20_000)
  const finish = () => {
    if (ended) return
    ended = true
    clearInterval(beat)
    stop()
    raw.end()
  }
  raw.on('close', finish)
  stop = start((event, data) => void (ended || raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)), finish)
  if (ended) stop()
}
