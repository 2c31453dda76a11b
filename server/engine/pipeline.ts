/** Sends a claimed slice over a sender's connections: splice, wait for one's turn, journal, hand over, tell what became of it. */
import { cleanResponse } from './bounces/classify.ts'
import { SpliceError, splice } from './compile/splice.ts'
import { withSignature } from './dkim/signer.ts'
import { blameReply, buildOutcome, type OutcomeInput } from './outcome.ts'
import { afterGrace } from './pace/grace.ts'
import type { RunSlice } from './run-slice.ts'
import { findAddressProblem, SmtpConnectError } from './smtp/smtp-problem.ts'
import type { SenderProblem, SendResult, SmtpConnection } from './smtp/types.ts'
import type { BounceClass, Journal, Message, Recipient, SliceResult, Turn } from './types.ts'

type Job = { recipient: Recipient; message: Message; turn: Turn | undefined }

/** Connections lost in a row, with no answer in between, after which the sender is at fault and not the messages. */
const LOST_IN_A_ROW = 5
/** Messages in a row without a reply to their end, after which it is not the network that lost it. */
const SILENT_IN_A_ROW = 10

/** Sends a slice; resolves when nothing is in flight any more. Never rejects for what servers do. */
export function runSlice(slice: RunSlice): Promise<SliceResult> {
  return new Slice(slice).run()
}

class Slice {
  #slice: RunSlice
  #next = 0
  #again: Recipient[] = []
  #retried = new Set<string>()
  #released: string[] = []
  #problem: SenderProblem | null = null
  #workers = 0
  #active = new Set<SmtpConnection>()
  #lost = 0
  /** Aborted by the first problem: nobody waits any more for a turn or a connection. */
  #halt = new AbortController()
  #signal: AbortSignal
  /** Aborted when the last recipient was taken: who waits for a connection waits for nothing. */
  #drained = new AbortController()

  constructor(slice: RunSlice) {
    this.#slice = slice
    this.#signal = slice.signal ? AbortSignal.any([slice.signal, this.#halt.signal]) : this.#halt.signal
  }

  async run(): Promise<SliceResult> {
    const { recipients, pool, isPatient = false } = this.#slice
    // The first connection goes alone: a wrong password is tried once and not once a connection.
    const begins = recipients.length > 0 && !this.#stopped
    const first = begins && !isPatient ? await this.#acquire() : null
    if (first || (begins && isPatient)) {
      const others = Math.min(pool.size, recipients.length) - 1
      this.#workers = others + 1
      const { signal, graceMs = 20_000 } = this.#slice
      const forget = afterGrace(signal, graceMs, () => {
        for (const connection of this.#active) connection.destroy()
      })
      await Promise.all([this.#work(first), ...Array.from({ length: others }, () => this.#work(null))])
      forget()
    }
    const untouched = [...this.#again, ...recipients.slice(this.#next)].map((recipient) => recipient.id)
    return { released: [...this.#released, ...untouched], problem: this.#problem }
  }

  #fail(problem: SenderProblem): void {
    this.#problem ??= problem
    this.#halt.abort()
  }

  get #stopped(): boolean {
    return this.#problem !== null || this.#slice.signal?.aborted === true
  }

  get #hasMore(): boolean {
    return this.#again.length > 0 || this.#next < this.#slice.recipients.length
  }

  /** Null when there is no connection to be had; a problem only if no other worker has one either. */
  async #acquire(drained?: AbortSignal): Promise<SmtpConnection | null> {
    const signal = drained ? AbortSignal.any([this.#signal, drained]) : this.#signal
    try {
      return await this.#slice.pool.acquire(signal)
    } catch (error) {
      if (signal.aborted) return null
      if (!(error instanceof SmtpConnectError)) throw error
      if (this.#workers <= 1) this.#fail(error.problem)
      return null
    }
  }

  async #work(given: SmtpConnection | null): Promise<void> {
    const { making, pool, isPatient = false } = this.#slice
    let connection = given
    let job: Job | null = null
    try {
      while ((job || this.#hasMore) && !this.#stopped) {
        if (!job && making?.isResting()) {
          if (connection) pool.release(connection)
          connection = null
          await making.rest(this.#signal)
          continue
        }
        if (isPatient) job ??= await this.#take()
        if (isPatient && !job) continue
        connection ??= await this.#acquire(job ? undefined : this.#drained.signal)
        if (!connection) return
        job ??= await this.#take()
        if (!job || this.#stopped) continue
        const following: Job | null = await this.#send(job, connection)
        job = following
        const carriesOn = job ? connection.opened : connection.usable && connection.carried < pool.maxMessages
        if (!carriesOn || isPatient) {
          pool.release(connection)
          connection = null
        }
      }
    } finally {
      job?.turn?.cancel()
      if (job) this.#again.push(job.recipient)
      this.#workers--
      if (connection) pool.release(connection)
    }
  }

  /** The next message, once its turn is near; null when it could not be made or there is none. Nobody waits for more turns than there are messages. */
  async #take(): Promise<Job | null> {
    const recipient = this.#nextRecipient()
    if (!recipient) return null
    const wait = this.#slice.gate.approach(this.#signal)
    const turn = wait && (await this.#orProblem(wait))
    if (this.#stopped) {
      turn?.cancel()
      this.#again.push(recipient)
      return null
    }
    const message = this.#splice(recipient)
    if (!message) turn?.cancel()
    return message && { recipient, message, turn }
  }

  #takeNow(): Job | null {
    if (this.#slice.making?.isResting()) return null
    const recipient = this.#nextRecipient()
    const message = recipient && this.#splice(recipient)
    return recipient && message ? { recipient, message, turn: undefined } : null
  }

  #nextRecipient(): Recipient | undefined {
    const recipient = this.#again.shift() ?? this.#slice.recipients[this.#next++]
    if (!this.#hasMore) {
      const drained = this.#drained
      // A message that has to be tried again may yet want a connection.
      this.#drained = new AbortController()
      drained.abort()
    }
    return recipient
  }

  /** The gate rejects when aborted, which is no problem, or when the shared state cannot be read, which is. */
  async #orProblem<T>(wait: Promise<T>): Promise<T | undefined> {
    try {
      return await wait
    } catch (error) {
      if (this.#stopped) return undefined
      const text = `The sending pace could not be read, so nothing was sent: ${cleanResponse((error as Error).message)}.`
      this.#fail({ kind: 'pace', text, code: null })
    }
    return undefined
  }

  /** Sends one; gives back the one announced behind it, if any. */
  async #send({ recipient, message, turn }: Job, connection: SmtpConnection): Promise<Job | null> {
    const { journal, gate, pool } = this.#slice
    const fresh = connection.carried === 0
    // Set inside a callback, which the compiler does not follow.
    let following = null as Job | null
    let silence = 0
    const pass = () => turn && this.#orProblem(turn.pass(this.#signal))
    this.#active.add(connection)
    const result = await connection.send({
      ...message,
      // Signed first: what comes after the turn must follow at once.
      beforeData: () => (message.ready ? message.ready.then(pass) : pass()),
      onBeforeFinalDot: async () => {
        if (this.#stopped) throw new Error('stopped')
        await this.#handing(journal, recipient.id)
        silence = pool.silence
        turn?.left()
      },
      next: () => {
        if (gate.open && !this.#stopped && connection.carried + 1 < pool.maxMessages) following = this.#takeNow()
        return following?.message ?? null
      },
    })
    turn?.cancel()
    this.#active.delete(connection)
    this.#settle({ recipient, message }, result, fresh)
    this.#listen(result, silence)
    return following
  }

  async #handing(journal: Journal, recipientId: string): Promise<void> {
    this.#requireHeld()
    try {
      await journal.handing(recipientId)
    } catch (error) {
      const text = `Sending stopped because the journal cannot be written: ${(error as Error).message}`
      this.#fail({ kind: 'journal', text, code: null })
      throw error
    }
    // In the turn of the event loop in which the message leaves: the process may have been suspended in between.
    this.#requireHeld()
  }

  #requireHeld(): void {
    if (this.#slice.isHeld?.() !== false) return
    const text = 'This worker could not reach the database for a while, and others may have taken over, so it stopped.'
    this.#fail({ kind: 'pace', text, code: null })
    throw new Error('the claim is not held any more')
  }

  #splice(recipient: Recipient): Message | null {
    const { prepared, onMake, making, signer, returnPath } = this.#slice
    onMake?.(recipient.id)
    const began = making && performance.now()
    try {
      const message = typeof prepared === 'function' ? prepared(recipient) : splice(prepared, recipient)
      if (returnPath) message.from = returnPath(recipient.id)
      return signer ? withSignature(signer, message) : message
    } catch (error) {
      if (!(error instanceof SpliceError)) throw error
      this.#tell(recipient, { kind: 'failed', code: null, enhanced: null, response: error.message }, error.outcomeClass)
      return null
    } finally {
      onMake?.(null)
      if (began !== undefined) making?.spent(performance.now() - began)
    }
  }

  #settle({ recipient, message }: Pick<Job, 'recipient' | 'message'>, result: SendResult, fresh: boolean): void {
    if (result.problem) return this.#giveBack(recipient, result, result.problem)
    if (result.kind === 'not_sent') return this.#notSent(recipient, result, fresh)
    this.#lost = 0
    const { from } = message
    const refused = findAddressProblem(result, this.#slice.returnPath && from.slice(from.lastIndexOf('@') + 1))
    if (refused) {
      this.#fail(refused)
      this.#released.push(recipient.id)
      return
    }
    this.#tell(recipient, { ...result, kind: result.kind }, blameReply(result))
  }

  /**
   * A server that takes messages and never says what became of them gets no more: nobody could say who has them. `before`: the silence as
   * this one was handed over. What was on its way beside the first one that was lost counts with it: an outage loses all of them at once.
   */
  #listen({ kind, problem, response }: SendResult, before: number): void {
    const { pool } = this.#slice
    if (problem || kind === 'not_sent') return
    if (kind !== 'unconfirmed') pool.silence = 0
    else if (before > 0 || pool.silence === 0) pool.silence++
    // Those that a stop cuts off say nothing of the server.
    if (pool.silence < SILENT_IN_A_ROW || this.#stopped) return
    const text = `The mail server did not reply to ${pool.silence} messages in a row, so they may have arrived or not. ${response}`
    this.#fail({ kind: 'silent', text, code: null })
  }

  /** Refused for the sender's sake: the message waits for better times without a try being counted. */
  #giveBack(recipient: Recipient, result: SendResult, problem: SenderProblem): void {
    this.#fail(problem)
    // Should the process end before it is given back, the journal must not say that its answer is unknown.
    const { code, enhanced, response } = result
    this.#slice.journal.replied(recipient.id, buildOutcome({ kind: 'deferred', code, enhanced, response }, 'soft'))
    this.#released.push(recipient.id)
  }

  #notSent(recipient: Recipient, result: SendResult, fresh: boolean): void {
    if (this.#stopped) {
      this.#released.push(recipient.id)
      return
    }
    // Some providers close a connection after a number of messages without a word; that is nobody's failure.
    if (!fresh && !this.#retried.has(recipient.id)) {
      this.#retried.add(recipient.id)
      this.#again.push(recipient)
      return
    }
    const text = `The mail server takes connections but no messages. ${result.response}`
    if (++this.#lost >= LOST_IN_A_ROW) this.#fail({ kind: 'timeout', text, code: result.code })
    this.#tell(recipient, { ...result, kind: 'deferred' }, 'soft')
  }

  #tell(recipient: Recipient, result: OutcomeInput, blame: BounceClass | null): void {
    const outcome = buildOutcome(result, blame)
    this.#slice.journal.replied(recipient.id, outcome)
    this.#slice.onOutcome(recipient.id, outcome)
  }
}
