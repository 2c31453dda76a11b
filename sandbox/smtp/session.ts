import { DataReader, lineFault } from './data-reader.ts'
import { isMailbox, type Path, readPath } from './path.ts'
import type { Trials } from './trials.ts'

/** A message as it arrived: envelope and bytes. */
export interface Incoming {
  /** The name it was introduced with (EHLO). */
  client: string
  from: string
  to: string[]
  raw: Buffer
}

export interface SessionParts {
  greeting: string
  trials: Trials
  /** Stores a message; calls `answered` when it is stored or refused. */
  deliver(mail: Incoming, onReply: (reply: string) => void): void
  write(text: string): void
  /** Ends the connection: after what was written, or at once. */
  end(how: 'after' | 'now'): void
}

export const MAX_MESSAGE = 25 * 1024 * 1024
const MAX_LINE = 2048
const MAX_RECIPIENTS = 1000
const MAX_ERRORS = 20
const SLOW_MS = 5_000
const LF = 10
const CR = 13

/**
 * One SMTP conversation (RFC 5321) with PIPELINING, 8BITMIME, SMTPUTF8 and SIZE. Bytes go in with `feed`; replies come
 * out in the order of the commands, many in one write when many were pipelined.
 */
export class Session {
  readonly #parts: SessionParts
  #input: Buffer = Buffer.alloc(0)
  #out = ''
  #client = ''
  #greeted = false
  #extended = false
  #from: string | undefined
  #utf8 = false
  #to: string[] = []
  #data: DataReader | undefined
  #skipping = false
  #waiting = false
  #closed = false
  #errors = 0

  constructor(parts: SessionParts) {
    this.#parts = parts
    parts.write(`220 ${parts.greeting}\r\n`)
  }

  /** Whether bytes wait that cannot be looked at yet: time to stop reading from the socket. */
  get full(): boolean {
    return this.#waiting && this.#input.length > 256 * 1024
  }

  feed(chunk: Buffer): void {
    this.#input = this.#input.length > 0 ? Buffer.concat([this.#input, chunk]) : chunk
    this.#run()
  }

  /** Says good-bye before the server stops; a message that is being stored still gets its reply. */
  close(reply: string): void {
    if (this.#closed || this.#waiting) return
    this.#reply(reply)
    this.#finish()
  }

  #run(): void {
    while (!this.#waiting && !this.#closed && this.#input.length > 0) {
      if (this.#data ? !this.#readData(this.#data) : !this.#readLine()) break
    }
    this.#flush()
  }

  #readData(reader: DataReader): boolean {
    const { used, done } = reader.take(this.#input)
    this.#input = this.#input.subarray(used)
    if (!done) return false
    this.#data = undefined
    this.#accept(reader)
    return true
  }

  #readLine(): boolean {
    const end = this.#input.indexOf(LF)
    const tooLong = end > MAX_LINE || (end < 0 && this.#input.length > MAX_LINE)
    if (end < 0) {
      if (!tooLong) return false
      this.#skipping = true
      this.#input = Buffer.alloc(0)
      return false
    }
    const line = this.#input.subarray(0, end)
    this.#input = this.#input.subarray(end + 1)
    if (this.#skipping || tooLong) {
      this.#skipping = false
      this.#reply('500 5.5.2 Line too long')
    } else if (line.at(-1) !== CR) this.#reply('500 5.5.2 A line must end with CR LF')
    else this.#command(line.toString('utf8', 0, line.length - 1))
    return true
  }

  #command(line: string): void {
    const space = line.indexOf(' ')
    const verb = (space < 0 ? line : line.slice(0, space)).toUpperCase()
    const rest = space < 0 ? '' : line.slice(space + 1)
    switch (verb) {
      case 'EHLO':
      case 'HELO':
        return this.#hello(verb, rest.trim())
      case 'MAIL':
        return this.#reply(this.#mail(rest))
      case 'RCPT':
        return this.#recipient(rest)
      case 'DATA':
        return this.#startData(rest)
      case 'RSET':
        this.#reset()
        return this.#reply('250 2.0.0 Forgotten')
      case 'NOOP':
        return this.#reply('250 2.0.0 Ok')
      case 'VRFY':
        return this.#reply('252 2.1.5 Send it and see')
      case 'HELP':
        return this.#reply('214 2.0.0 EHLO MAIL RCPT DATA RSET NOOP QUIT')
      case 'QUIT':
        this.#reply('221 2.0.0 Bye')
        return this.#finish()
      case 'AUTH':
      case 'STARTTLS':
      case 'BDAT':
      case 'EXPN':
        return this.#reply('502 5.5.1 Not offered here')
    }
    this.#reply('500 5.5.1 Unknown command')
  }

  #hello(verb: 'EHLO' | 'HELO', name: string): void {
    if (!name) return this.#reply(`501 5.5.4 ${verb} needs a name`)
    this.#reset()
    this.#client = name
    this.#greeted = true
    this.#extended = verb === 'EHLO'
    if (!this.#extended) return this.#reply('250 localhost')
    this.#reply(
      `250-localhost\r\n250-PIPELINING\r\n250-SIZE ${MAX_MESSAGE}\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 ENHANCEDSTATUSCODES`,
    )
  }

  #mail(rest: string): string {
    if (!this.#greeted) return '503 5.5.1 Say EHLO first'
    if (this.#from !== undefined) return '503 5.5.1 A message has begun already'
    const path = readPath('FROM', rest)
    if (!path) return '501 5.5.4 Syntax: MAIL FROM:<address>'
    const fault = this.#parameterFault(path)
    if (fault) return fault
    const utf8 = path.parameters.has('SMTPUTF8')
    if (path.address !== '' && !isMailbox(path.address)) return '501 5.1.7 This sender address cannot be one'
    if (!utf8 && !isAscii(path.address)) return '553 5.6.7 An address beyond ASCII needs SMTPUTF8'
    this.#from = path.address
    this.#utf8 = utf8
    return '250 2.1.0 Sender ok'
  }

  #parameterFault({ parameters }: Path): string | undefined {
    for (const [name, value] of parameters) {
      if (!this.#extended) return '555 5.5.4 Parameters need EHLO'
      if (name === 'SIZE') {
        if (!/^\d{1,20}$/.test(value)) return '501 5.5.4 SIZE must be a number'
        if (Number(value) > MAX_MESSAGE) return `552 5.3.4 A message may have ${MAX_MESSAGE} bytes at most`
      } else if (name === 'BODY') {
        if (!/^(7BIT|8BITMIME)$/i.test(value)) return '501 5.5.4 BODY must be 7BIT or 8BITMIME'
      } else if (name !== 'SMTPUTF8') return `555 5.5.4 Unknown parameter ${name.slice(0, 40)}`
    }
    return undefined
  }

  #recipient(rest: string): void {
    if (this.#from === undefined) return this.#reply('503 5.5.1 MAIL comes before RCPT')
    const path = readPath('TO', rest)
    if (!path) return this.#reply('501 5.5.4 Syntax: RCPT TO:<address>')
    const [parameter] = path.parameters.keys()
    if (parameter !== undefined) return this.#reply(`555 5.5.4 Unknown parameter ${parameter.slice(0, 40)}`)
    if (!isMailbox(path.address) && !/^postmaster$/i.test(path.address))
      return this.#reply('501 5.1.3 This recipient address cannot be one')
    if (!this.#utf8 && !isAscii(path.address)) return this.#reply('553 5.6.7 An address beyond ASCII needs SMTPUTF8')
    if (this.#to.length >= MAX_RECIPIENTS) return this.#reply('452 4.5.3 Too many recipients')
    const refusal = this.#parts.trials.refusal(path.address)
    if (!refusal) this.#to.push(path.address)
    this.#reply(refusal ?? '250 2.1.5 Recipient ok', refusal !== undefined)
    if (refusal?.startsWith('421')) this.#finish()
  }

  #startData(rest: string): void {
    if (rest.trim()) return this.#reply('501 5.5.4 DATA takes nothing behind it')
    if (this.#from === undefined) return this.#reply('503 5.5.1 MAIL comes before DATA')
    if (this.#to.length === 0) return this.#reply('554 5.5.1 No valid recipients', true)
    this.#data = new DataReader(MAX_MESSAGE)
    this.#reply('354 Go on, end with a dot')
  }

  #accept(reader: DataReader): void {
    const [from = '', to] = [this.#from, this.#to]
    this.#reset()
    const raw = reader.message()
    if (!raw) return this.#reply(`552 5.3.4 A message may have ${MAX_MESSAGE} bytes at most`)
    const fault = lineFault(raw)
    if (fault) return this.#reply(fault)
    const ending = this.#parts.trials.ending(to)
    if (ending === 'spam') return this.#reply('554 5.7.1 Refused as spam', true)
    this.#waiting = true
    this.#flush()
    const onReply = (reply: string) => {
      if (ending === 'drop') return this.#drop()
      if (ending === 'slow') setTimeout(() => this.#resume(reply), SLOW_MS)
      else this.#resume(reply)
    }
    this.#parts.deliver({ client: this.#client, from, to, raw }, onReply)
  }

  #resume(reply: string): void {
    this.#waiting = false
    if (this.#closed) return
    this.#reply(reply)
    this.#run()
  }

  #drop(): void {
    this.#closed = true
    this.#parts.end('now')
  }

  #reset(): void {
    this.#from = undefined
    this.#utf8 = false
    this.#to = []
  }

  /** `expected`: a refusal by a magic address or by pipelining says nothing about the client's manners. */
  #reply(text: string, expected = false): void {
    this.#out += `${text}\r\n`
    if (!text.startsWith('5') || expected) return
    if (++this.#errors < MAX_ERRORS) return
    this.#out += '421 4.7.0 Too many errors\r\n'
    this.#finish()
  }

  #flush(): void {
    if (this.#out === '') return
    const text = this.#out
    this.#out = ''
    this.#parts.write(text)
  }

  #finish(): void {
    if (this.#closed) return
    this.#closed = true
    this.#flush()
    this.#parts.end('after')
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what it names
const isAscii = (text: string) => /^[\u0000-\u007f]*$/.test(text)
