/** Reads server-sent events off a response until it ends; calls back with the name and the data of each. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (name: string, data: string) => void,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    rest += decoder.decode(value, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split(/\r?\n/)
      const name = lines
        .find((line) => line.startsWith('event:'))
        ?.slice(6)
        .trim()
      if (!name) continue
      onEvent(name, lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : [])).join('\n'))
    }
  }
}

interface Followed {
  /** Asks for the stream. */
  open: () => Promise<Response>
  onEvent: (name: string, data: string) => void
  /** Where no stream comes through: ask once instead. */
  ask?: () => Promise<void>
  /** Whether nothing will come any more; without it the signal alone ends it. */
  isOver?: () => boolean
  signal: AbortSignal
}

/** Follows a stream until it is over, again two seconds after each time it broke off. */
export async function followEvents({ open, onEvent, ask, isOver, signal }: Followed): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await open()
      if (!body) throw new Error('no stream')
      const stop = new TransformStream<Uint8Array, Uint8Array>()
      const piped = body.pipeTo(stop.writable, { signal }).catch(() => undefined)
      await readEvents(stop.readable, onEvent)
      await piped
    } catch {
      if (signal.aborted) return
      await ask?.().catch(() => undefined)
    }
    if (isOver?.()) return
    await pause(2_000, signal)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
