export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed'

/**
 * Saves changes a moment after the last one, one request at a time, and never drops what came in between.
 * `save` gets all changes since the last success; a failure keeps them and `flush` tries again. `tell` hears of every
 * new state, with what the last attempt failed of, if it did.
 */
export class Autosave<T extends object> {
  #pending: Partial<T> = {}
  #running: Promise<boolean> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #error: unknown = null
  readonly #save: (changes: Partial<T>) => Promise<unknown>
  readonly #delay: number
  readonly #tell: (state: SaveState, error: unknown) => void

  /** `delay` in milliseconds. */
  constructor(
    save: (changes: Partial<T>) => Promise<unknown>,
    delay: number,
    tell: (state: SaveState, error: unknown) => void,
  ) {
    this.#save = save
    this.#delay = delay
    this.#tell = tell
  }

  /** Whether nothing waits and nothing is under way. */
  get isSaved(): boolean {
    return !this.#hasPending && this.#running === null
  }

  get #hasPending(): boolean {
    return Object.keys(this.#pending).length > 0
  }

  change(changes: Partial<T>): void {
    this.#pending = { ...this.#pending, ...changes }
    this.#tell('unsaved', this.#error)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), this.#delay)
  }

  /** Forgets what waits, which is not to be saved any more. What is under way goes on, and waits again where it fails. */
  discard(): void {
    clearTimeout(this.#timer)
    this.#pending = {}
    this.#error = null
    this.#tell(this.#running === null ? 'saved' : 'saving', null)
  }

  /** Saves what is waiting now; true when everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    // Another one that waited too may have begun what both waited for.
    while (this.#running) await this.#running
    if (!this.#hasPending) return true
    const changes = this.#pending
    this.#pending = {}
    this.#tell('saving', this.#error)
    const run = this.#save(changes).then(
      () => {
        this.#error = null
        this.#tell(this.#hasPending ? 'unsaved' : 'saved', null)
        return true
      },
      (cause) => {
        this.#pending = { ...changes, ...this.#pending }
        this.#error = cause
        this.#tell('failed', cause)
        return false
      },
    )
    this.#running = run
    const isDone = await run
    if (this.#running === run) this.#running = null
    return isDone && !this.#hasPending
  }
}
