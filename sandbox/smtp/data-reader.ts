const END = Buffer.from('\r\n.\r\n')
const STUFFED = Buffer.from('\r\n.')
const LF = 10
const CR = 13
/** RFC 5321 4.5.3.1.6: 1000 octets with the line end. */
const LINE = 998

/** Collects one message after DATA up to its final dot, within a limit of bytes. */
export class DataReader {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #size = 0
  // The line end of the DATA command counts as the one before a first dot.
  #tail: Buffer = Buffer.from('\r\n')

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many bytes of the chunk belong to the message, its final dot included, and whether that dot was there. */
  take(chunk: Buffer): { used: number; done: boolean } {
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, END.length - 1)]).indexOf(END)
    const inside = seam >= 0 ? seam - this.#tail.length : chunk.indexOf(END)
    const done = seam >= 0 || inside >= 0
    const used = done ? inside + END.length : chunk.length
    this.#keep(chunk.subarray(0, used))
    return { used, done }
  }

  #keep(part: Buffer): void {
    this.#size += part.length
    // An oversized message is read to its end, so that the client gets the reply, but it is not stored.
    if (this.#size <= this.#limit + 3) this.#chunks.push(part)
    else this.#chunks.length = 0
    this.#tail = Buffer.concat([this.#tail, part.subarray(-4)]).subarray(-4)
  }

  /** The message with its dots unstuffed; undefined when it was larger than the limit. */
  message(): Buffer | undefined {
    if (this.#size > this.#limit + 3) return undefined
    const [only] = this.#chunks
    const all = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks)
    return unstuff(all.subarray(0, all.length - 3))
  }
}

function unstuff(raw: Buffer): Buffer {
  const parts: Buffer[] = []
  let from = raw[0] === 46 ? 1 : 0
  for (let at = raw.indexOf(STUFFED, from); at >= 0; at = raw.indexOf(STUFFED, from)) {
    parts.push(raw.subarray(from, at + 2))
    from = at + 3
  }
  if (parts.length === 0) return raw.subarray(from)
  parts.push(raw.subarray(from))
  return Buffer.concat(parts)
}

/** What is wrong with the lines of a message, as an SMTP answer: a lone CR or LF (smuggling), or a line over 998 octets. */
export function lineFault(raw: Buffer): string | undefined {
  let start = 0
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (byte !== LF && byte !== CR) continue
    if (byte === LF || raw[i + 1] !== LF) return '550 5.6.0 A line must end with CR LF; a lone one was found'
    if (i - start > LINE) return '554 5.6.0 A line has more than 998 octets'
    i++
    start = i + 1
  }
  return raw.length - start > LINE ? '554 5.6.0 A line has more than 998 octets' : undefined
}
