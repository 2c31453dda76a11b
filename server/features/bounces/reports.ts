import {
  type AggregateReport,
  type Authentication,
  type Delivery,
  type readReport,
  readReturnAddress,
  type Tokens,
} from '#server/engine/index.ts'
import { toNetwork } from '#server/platform/network.ts'
import { BoundedThreads, ThreadError } from '#server/platform/threads/bounded.ts'

const LIMITS = {
  timeMs: 5_000,
  heap: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 },
  idleMs: 30_000,
}
const MAX_MARKS = 200

export type ReportTask =
  | { kind: 'report'; raw: Uint8Array }
  | { kind: 'aggregate'; raw: Uint8Array }
  | { kind: 'author'; raw: Uint8Array; servers: readonly string[]; delivery: Delivery | undefined }
  | { kind: 'authentication'; raw: Uint8Array; servers: readonly string[]; delivery: Delivery; mark: string }

export type Report = Awaited<ReturnType<typeof readReport>>

const asksNames = ({ kind }: ReportTask) => kind === 'author' || kind === 'authentication'

const openThreads = () =>
  new BoundedThreads<ReportTask>(new URL('./listener/report-thread.ts', import.meta.url), LIMITS)

/** A report that cannot be read, now or ever: more time or memory than any real one needs. */
export class UnreadableReport extends Error {}

/** Takes reports apart in threads of their own, each bounded in time and memory. Those it is done for take turns: networks, workspaces. */
export class ReportReader {
  readonly #threads = openThreads()
  /** Name servers of a stranger's domain may take all the time there is: bounces do not wait for them. */
  readonly #authors = openThreads()

  /** What a report says. `turn`: for whom it is read. Throws UnreadableReport, and ThreadError where it may be tried again. */
  read(head: Uint8Array, turn: string): Promise<Report> {
    return this.#run({ kind: 'report', raw: head }, turn)
  }

  /** The DMARC report that a whole email carries; undefined: none. Throws as `read` does. */
  readAggregate(raw: Uint8Array, turn: string): Promise<AggregateReport | undefined> {
    return this.#run({ kind: 'aggregate', raw }, turn)
  }

  /**
   * The domain that vouches for a whole email, by its DKIM signatures and by SPF where it was delivered to us; null: none does, or
   * that could not be said within the time of a report. Throws ThreadError.
   */
  async findAuthor(
    raw: Uint8Array,
    turn: string,
    { servers, delivery }: { servers: readonly string[]; delivery?: Delivery },
  ): Promise<string | null> {
    try {
      return await this.#run<string | null>({ kind: 'author', raw, servers, delivery }, turn)
    } catch (error) {
      if (error instanceof UnreadableReport) return null
      throw error
    }
  }

  /** What a receiver finds in an email: see the engine's authenticate; null: that could not be said within the time of a report. Throws ThreadError. */
  async authenticate(
    raw: Uint8Array,
    servers: readonly string[],
    delivery: Delivery,
    mark: string,
  ): Promise<Authentication | null> {
    try {
      const turn = toNetwork(delivery.ip)
      return await this.#run<Authentication>({ kind: 'authentication', raw, servers, delivery, mark }, turn)
    } catch (error) {
      if (error instanceof UnreadableReport) return null
      throw error
    }
  }

  async #run<T>(task: ReportTask, turn: string): Promise<T> {
    try {
      return (await (asksNames(task) ? this.#authors : this.#threads).run(task, { workspaceId: turn })) as T
    } catch (error) {
      if (!(error instanceof ThreadError) || error.reason === 'stop' || error.reason === 'start') throw error
      throw new UnreadableReport(error.message)
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#threads.stop(), this.#authors.stop()])
  }
}

/** The messages whose marks, signed by us, stand in a text: in a Message-ID, an X-Postlark-Id, or the address bounces return to. */
export function findMarks(tokens: Tokens, text: string): string[] {
  const found = new Set<string>()
  let tried = 0
  for (const [word] of text.matchAll(/(?<![\w-])(?:[\w-]{39}(?![\w-])|bounce-[a-z2-7]{47}(?![\w-]))/gi)) {
    if (++tried > MAX_MARKS) break
    const content = word.length === 39 ? tokens.verify(word) : null
    const id = content?.purpose === 'message' ? content.recipientId : readReturnAddress(tokens, word)?.id
    if (id !== undefined) found.add(id)
  }
  return [...found]
}
