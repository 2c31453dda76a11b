/** One SMTP connection that carries messages one after the other, and says exactly what became of each. */
import { classify, cleanResponse } from '../bounces/classify.ts'
import { WireError } from './smtp-problem.ts'
import type { Reply, Wire } from './smtp-wire.ts'
import type { Envelope, SendRequest, SendResult, SmtpConnection, SmtpTimeouts } from './types.ts'

const FINAL_DOT = '.\r\n'
/**
 * An answer this much after the one before, though asked in the same packet, was held back (Nagle on their side, delayed ACK on ours).
 * Twice in a row is a habit: grouping messages then costs more than it saves.
 */
const LATE_MS = 10
const LATE_LIMIT = 2
// Nothing that could end the command, add a parameter or a second one.
const SAFE_PATH = /^[^\s<>\p{Cc}]+@[^\s<>@\p{Cc}]+$/u

/** What a server's EHLO offers. */
export type Capabilities = {
  pipelining: boolean
  smtpUtf8: boolean
  startTls: boolean
  sizeLimit: number
  size: boolean
  auth: Set<string>
}

/** What was learned of a server, shared by its connections. `late`: messages in a row after which the next answer came late. */
export type Habits = { late: number }

type Refusal = { reply: Reply; stage: 'mail' | 'rcpt' | 'data' }

const notSent = (response: string, code: number | null = null): SendResult => ({
  kind: 'not_sent',
  code,
  enhanced: null,
  response: cleanResponse(response),
})

/** A signed-in connection. */
export class Connection implements SmtpConnection {
  carried = 0
  #wire: Wire
  #capabilities: Capabilities
  #timeouts: SmtpTimeouts
  #needsReset = false
  /** Commands already written for the next message, whose replies are still to be read. */
  #announced: string | null = null
  /** Replies to the announced commands, read together with the answer to the message before. */
  #ahead: Reply[] = []
  #habits: Habits

  constructor(wire: Wire, capabilities: Capabilities, timeouts: SmtpTimeouts, habits: Habits) {
    this.#wire = wire
    this.#habits = habits
    this.#capabilities = capabilities
    this.#timeouts = timeouts
  }

  get usable(): boolean {
    return !this.#wire.failure && !this.#wire.hasUnread && this.#announced === null
  }

  get opened(): boolean {
    return !this.#wire.failure && this.#announced !== null
  }

  async send(request: SendRequest): Promise<SendResult> {
    const impossible = this.#impossible(request)
    if (impossible) return impossible
    let announced: string | null = null
    try {
      const refusal = await this.#open(request)
      if (refusal) return this.#refused(refusal)
      // A gate may make us wait here, while the server waits for the message.
      const turn = request.beforeData?.()
      if (turn) await turn
      if (!this.usable) throw this.#wire.failure ?? new WireError('closed', 'the server spoke out of turn')
      const following = this.#capabilities.pipelining && this.#habits.late < LATE_LIMIT ? request.next?.() : null
      if (following && !this.#impossible(following)) announced = this.#commands(following).join('')
      await request.onBeforeFinalDot?.()
      if (!this.usable) throw this.#wire.failure ?? new WireError('closed', 'the server spoke out of turn')
    } catch (error) {
      this.#wire.destroy()
      return notSent(`Not sent: ${(error as Error).message}`)
    }
    this.#announced = announced
    return this.#deliver(request.data)
  }

  /** What can be told without bothering the server. */
  #impossible({ from, to, data, needsSmtpUtf8 }: Envelope): SendResult | null {
    const failed = (enhanced: string, response: string): SendResult => ({
      kind: 'failed',
      code: null,
      enhanced,
      response,
    })
    if (!SAFE_PATH.test(from) || !SAFE_PATH.test(to)) return failed('5.1.3', 'Not a valid email address')
    if (needsSmtpUtf8 && !this.#capabilities.smtpUtf8) {
      return failed('5.6.7', 'This mail server cannot take addresses with letters outside ASCII (no SMTPUTF8)')
    }
    const limit = this.#capabilities.sizeLimit
    if (limit > 0 && data.length > limit)
      return failed('5.3.4', `The message has ${data.length} bytes; this mail server takes ${limit}`)
    return null
  }

  #commands({ from, to, data, needsSmtpUtf8 }: Envelope): string[] {
    const size = this.#capabilities.size ? ` SIZE=${data.length}` : ''
    return [`MAIL FROM:<${from}>${size}${needsSmtpUtf8 ? ' SMTPUTF8' : ''}\r\n`, `RCPT TO:<${to}>\r\n`, 'DATA\r\n']
  }

  /** Up to 354. A refusal means that nothing was sent. */
  async #open(envelope: Envelope): Promise<Refusal | null> {
    const commands = this.#commands(envelope)
    const announced = this.#announced
    this.#announced = null
    if (announced !== null && announced !== commands.join(''))
      throw new WireError('closed', 'another message was announced')
    if (this.#needsReset) await this.#reset(commands)
    else if (announced === null && this.#capabilities.pipelining) this.#wire.write(commands.join(''))
    let refusal: Refusal | null = null
    for (const [index, stage] of (['mail', 'rcpt', 'data'] as const).entries()) {
      if (!this.#capabilities.pipelining) this.#wire.write(commands[index] as string)
      const reply = this.#ahead.shift() ?? (await this.#wire.read(this.#timeouts.command))
      const wanted = stage === 'data' ? reply.code === 354 : reply.code >= 200 && reply.code < 300
      if (!wanted) refusal ??= { reply, stage }
      else if (stage === 'data' && refusal) await this.#abandonData()
      if (reply.code === 421 || (refusal && !this.#capabilities.pipelining)) break
    }
    this.#needsReset = refusal !== null
    return refusal
  }

  /** Ends what a refusal left open (RSET), in the same write where the server allows it. */
  async #reset(commands: string[]): Promise<void> {
    this.#wire.write(this.#capabilities.pipelining ? `RSET\r\n${commands.join('')}` : 'RSET\r\n')
    const reply = await this.#wire.read(this.#timeouts.command)
    if (reply.code === 421) throw new WireError('closed', cleanResponse(reply.text))
  }

  /** RCPT was refused and DATA accepted all the same (RFC 2920 3.1): an empty message to nobody ends it. */
  async #abandonData(): Promise<void> {
    this.#wire.write(FINAL_DOT)
    await this.#wire.read(this.#timeouts.data)
  }

  async #deliver(data: Buffer): Promise<SendResult> {
    try {
      this.#wire.writeAll([stuffed(data), FINAL_DOT + (this.#announced ?? '')])
      const reply = await this.#wire.read(this.#timeouts.data)
      this.carried++
      if (reply.code < 200 || reply.code >= 600 || (reply.code >= 300 && reply.code < 400)) {
        throw new WireError('garbage', `an invalid reply: ${reply.code} ${reply.text}`)
      }
      if (this.#announced !== null && reply.code !== 421) await this.#readAhead()
      return this.#settle(reply)
    } catch (error) {
      this.#wire.destroy()
      const response = cleanResponse(`Outcome unknown: ${(error as Error).message} after the message was handed over`)
      return { kind: 'unconfirmed', code: null, enhanced: null, response }
    }
  }

  /**
   * Reads what was answered to the announced envelope before the message's own answer is believed: a server that swallowed the latter
   * would otherwise have the next command's answer taken for it. Only DATA is answered 354, so a 354 too early gives it away.
   */
  async #readAhead(): Promise<void> {
    const repliedAt = performance.now()
    try {
      for (let i = 0; i < 3; i++) {
        const reply = await this.#wire.read(this.#timeouts.command)
        if (i === 0) this.#habits.late = performance.now() - repliedAt > LATE_MS ? this.#habits.late + 1 : 0
        this.#ahead.push(reply)
        if (reply.code === 421) return
      }
    } catch {
      // The connection is lost; the next message will find out. This one has its answer.
    }
    if (this.#ahead.slice(0, 2).some((reply) => reply.code === 354))
      throw new WireError('garbage', 'the replies were out of order')
  }

  #refused({ reply, stage }: Refusal): SendResult {
    if (reply.code < 400 || reply.code > 599) throw new WireError('garbage', `an invalid reply: ${reply.code}`)
    return { ...this.#settle(reply), stage }
  }

  #settle(reply: Reply): SendResult {
    const { kind, code, enhanced, response } = classify(reply.code, reply.text)
    if (code === 421) this.#wire.destroy()
    return { kind, code, enhanced, response }
  }

  async quit(): Promise<void> {
    if (this.usable) {
      this.#wire.write('QUIT\r\n')
      await this.#wire.read(Math.min(2000, this.#timeouts.command)).catch(() => {})
    }
    this.#wire.destroy()
  }

  destroy(): void {
    this.#wire.destroy()
  }
}

/** Dots at line beginnings doubled (RFC 5321 4.5.2) and CRLF at the end; a copy only when there is something to do. */
function stuffed(data: Buffer): Buffer {
  const dots = data[0] === 0x2e || data.includes('\r\n.')
  const open = data.length > 0 && !(data.at(-1) === 0x0a && data.at(-2) === 0x0d)
  if (!dots && !open) return data
  const text = data.toString('latin1').replace(/^\.|(?<=\r\n)\./g, '..')
  return Buffer.from(open ? `${text}\r\n` : text, 'latin1')
}
