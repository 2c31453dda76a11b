import { EventEmitter, once } from 'node:events'
import type { FastifyReply } from 'fastify'

/** Events inside one process: a topic such as `campaign:12` and a plain value. What must survive or cross processes is read from the database. */
export class Live {
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  publish(topic: string, value: unknown): void {
    this.#emitter.emit(topic, value)
  }

  /** Returns a function that ends the subscription. */
  subscribe(topic: string, listener: (value: unknown) => void): () => void {
    this.#emitter.on(topic, listener)
    return () => this.#emitter.off(topic, listener)
  }
}

const BEAT_MS = 20_000
/** Bytes a stream may leave unread: it is ended, and its reader connects again. */
const MAX_UNREAD = 2 ** 20

export interface EventStream {
  send(event: string, data: unknown): void
  /** Resolves when the reader has taken what was sent, or has left. A sender of much waits for it. */
  drained(): Promise<void>
  end(): void
}

/** A stream of server-sent events over one reply; `start` returns what to do when the reader leaves. */
export function serveEvents(reply: FastifyReply, start: (stream: EventStream) => () => void): void {
  reply.hijack()
  const raw = reply.raw
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  })
  let stop: () => void = () => undefined
  let ended = false
  let wasWaiting = false
  const write = (text: string) => {
    if (ended) return
    raw.write(text)
    // Nothing more is read: the buffer of this reader would only grow.
    if (raw.writableLength > MAX_UNREAD) raw.destroy()
  }
  const beat = setInterval(() => {
    // Not one byte was taken since the last beat.
    if (wasWaiting && raw.writableNeedDrain) return raw.destroy()
    wasWaiting = raw.writableNeedDrain
    write(':\n\n')
  }, BEAT_MS)
  const finish = () => {
    if (ended) return
    ended = true
    clearInterval(beat)
    stop()
    raw.end()
  }
  raw.on('close', finish)
  raw.on('drain', () => {
    wasWaiting = false
  })
  write(':\n\n')
  stop = start({
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    drained: async () => {
      if (ended || !raw.writableNeedDrain) return
      const left = new AbortController()
      const leave = () => left.abort()
      raw.once('close', leave)
      await once(raw, 'drain', { signal: left.signal }).catch(() => undefined)
      raw.off('close', leave)
    },
    end: finish,
  })
  if (ended) stop()
}
