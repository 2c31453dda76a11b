const LINE_BYTES = 64 * 1024

/**
 * Puts commands together from the bytes of a connection. A literal ({5} and five bytes, RFC 3501; {5+} without asking, RFC
 * 7888) becomes a quoted string in its line, so that a command is one line of text.
 */
export class Lines {
  #input: Buffer = Buffer.alloc(0)
  #text = ''
  #literal = 0
  readonly #ask: () => void

  /** `ask`: tells the client that its literal may come. */
  constructor(ask: () => void) {
    this.#ask = ask
  }

  /** The commands that are whole now. Throws when one is longer than any may be. */
  feed(chunk: Buffer): string[] {
    this.#input = this.#input.length > 0 ? Buffer.concat([this.#input, chunk]) : chunk
    const lines: string[] = []
    for (;;) {
      if (this.#input.length + this.#text.length > LINE_BYTES) throw new Error('this command is too long')
      if (this.#literal > 0) {
        if (this.#input.length < this.#literal) return lines
        this.#text += `"${this.#take(this.#literal).replace(/["\\]/g, '\\$&')}"`
        this.#literal = 0
      }
      const end = this.#input.indexOf('\r\n')
      if (end < 0) return lines
      const line = this.#take(end)
      this.#input = this.#input.subarray(2)
      const [mark, bytes, plus] = /\{(\d{1,6})(\+?)\}$/.exec(line) ?? []
      if (mark === undefined) {
        lines.push(this.#text + line)
        this.#text = ''
      } else {
        this.#text += line.slice(0, -mark.length)
        this.#literal = Number(bytes)
        if (!plus) this.#ask()
      }
    }
  }

  #take(bytes: number): string {
    const text = this.#input.toString('latin1', 0, bytes)
    this.#input = this.#input.subarray(bytes)
    return text
  }
}
