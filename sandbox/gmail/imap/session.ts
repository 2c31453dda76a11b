import type { Account, StoredMessage } from '../accounts.ts'
import { fetched, parseFetchItems } from './fetch.ts'
import { Lines } from './lines.ts'
import { parseSearch } from './search.ts'
import { formatImapString, type ImapWord, inSet, parseArguments } from './words.ts'

const CAPABILITIES =
  'IMAP4rev1 SASL-IR AUTH=PLAIN ID NAMESPACE SPECIAL-USE CHILDREN UNSELECT UIDPLUS LITERAL+ X-GM-EXT-1'

interface Folder {
  flags: string
  /** undefined: it only holds others. */
  holds?: (message: StoredMessage) => boolean
}
const away = ({ labelIds }: StoredMessage) => labelIds.includes('SPAM') || labelIds.includes('TRASH')
/** The folders of every Gmail account; what has left is in All Mail too. */
const FOLDERS: Record<string, Folder> = {
  INBOX: { flags: '\\HasNoChildren', holds: ({ labelIds }) => labelIds.includes('INBOX') },
  '[Gmail]': { flags: '\\HasChildren \\Noselect' },
  '[Gmail]/All Mail': { flags: '\\All \\HasNoChildren', holds: (message) => !away(message) },
  '[Gmail]/Sent Mail': { flags: '\\HasNoChildren \\Sent', holds: ({ labelIds }) => labelIds.includes('SENT') },
}

export interface SessionParts {
  /** The account of a name and an app password; or Google's words why not. */
  signIn(user: string, password: string): Account | string
  write(text: string): void
  end(): void
  /** Ends at once, as a connection does that is lost. */
  cut(): void
}

/** One IMAP conversation (RFC 3501, with Gmail's extensions) that reads a mailbox, and may delete in a folder that was not opened read only. */
export class ImapSession {
  readonly #parts: SessionParts
  readonly #lines: Lines
  #account: Account | undefined
  #folder: string | undefined
  #messages: StoredMessage[] = []
  #mayDelete = false
  /** Marked as deleted, until they are expunged. */
  readonly #deleted = new Set<StoredMessage>()
  /** The tag of an AUTHENTICATE whose answer is to come. */
  #asked: string | undefined

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#lines = new Lines(() => parts.write('+ go ahead\r\n'))
    parts.write('* OK Gimap ready for requests from the sandbox\r\n')
  }

  get account(): Account | undefined {
    return this.#account
  }

  feed(chunk: Buffer): void {
    try {
      for (const line of this.#lines.feed(chunk)) this.#line(line)
    } catch (error) {
      this.#parts.write(`* BYE ${(error as Error).message}\r\n`)
      this.#parts.end()
    }
  }

  #line(line: string): void {
    if (this.#asked !== undefined) {
      const tag = this.#asked
      this.#asked = undefined
      return this.#parts.write(line === '*' ? `${tag} BAD Canceled\r\n` : this.#plain(tag, line))
    }
    const [, tag = '*', name = '', rest = ''] = /^([^\s()"{%*+]+) ([A-Za-z]+)(?: (.*))?$/s.exec(line) ?? []
    const words = parseArguments(rest)
    if (!name || !words) return this.#parts.write(`${tag} BAD Could not parse command\r\n`)
    this.#command(tag, name.toUpperCase(), words)
  }

  #command(tag: string, name: string, words: ImapWord[]): void {
    const { write } = this.#parts
    const done = (what = name) => write(`${tag} OK ${what} done\r\n`)
    switch (name) {
      case 'CAPABILITY':
        write(`* CAPABILITY ${CAPABILITIES}\r\n`)
        return done()
      case 'ID':
        write('* ID ("name" "GImap" "vendor" "Google, Inc.")\r\n')
        return done()
      case 'NOOP':
      case 'CHECK':
        this.#look()
        return done()
      case 'LOGOUT':
        write('* BYE LOGOUT Requested\r\n')
        done()
        return this.#parts.end()
      case 'LOGIN':
        return write(this.#login(tag, toText(words[0]), toText(words[1])))
      case 'AUTHENTICATE':
        return this.#authenticate(tag, toText(words[0]), words[1])
    }
    if (!this.#account) return write(`${tag} BAD ${name} needs a sign-in first\r\n`)
    const isStore = name === 'STORE' || (name === 'UID' && /^store$/i.test(toText(words[0])))
    if (isStore && this.#account.imap.trouble === 'hold-delete') {
      this.#account.imap.held++
      return
    }
    const reply = this.#signedIn(name, words)
    if (typeof reply === 'string') return write(`${tag} ${reply}\r\n`)
    if (reply) return done()
    write(`${tag} BAD Unknown command\r\n`)
  }

  /** true: done; a text: how else it ended; false: no such command. */
  #signedIn(name: string, words: ImapWord[]): boolean | string {
    switch (name) {
      case 'NAMESPACE':
        this.#parts.write('* NAMESPACE (("" "/")) NIL NIL\r\n')
        return true
      case 'LIST':
      case 'LSUB':
        return this.#list(name, toText(words[1]))
      case 'STATUS':
        return this.#status(toText(words[0]))
      case 'SELECT':
      case 'EXAMINE':
        return this.#open(toText(words[0]), name)
      case 'CLOSE':
      case 'UNSELECT':
        this.#folder = undefined
        return true
      case 'FETCH':
      case 'SEARCH':
        return this.#read(name, words, false)
      case 'UID':
        if (/^store$/i.test(toText(words[0]))) return this.#store(words.slice(1), true)
        if (/^expunge$/i.test(toText(words[0])))
          return this.#expunge(inSet(toText(words[1]), this.#messages.at(-1)?.uid ?? 0))
        return this.#read(toText(words[0]).toUpperCase(), words.slice(1), true)
      case 'STORE':
        return this.#store(words, false)
      case 'EXPUNGE':
        return this.#expunge(() => true)
      case 'APPEND':
      case 'COPY':
        return 'NO The sandbox is read only'
    }
    return false
  }

  #login(tag: string, user: string, password: string): string {
    const account = this.#parts.signIn(user, password)
    if (typeof account === 'string') return `${tag} NO ${account}\r\n`
    this.#account = account
    return `* CAPABILITY ${CAPABILITIES}\r\n${tag} OK ${user} authenticated (Success)\r\n`
  }

  #authenticate(tag: string, method: string, first: ImapWord | undefined): void {
    const { write } = this.#parts
    if (method.toUpperCase() !== 'PLAIN') return write(`${tag} NO Unsupported mechanism\r\n`)
    if (typeof first === 'string') return write(this.#plain(tag, first))
    this.#asked = tag
    write('+ \r\n')
  }

  /** RFC 4616: whose rights, who, and the password, with zero bytes between. */
  #plain(tag: string, encoded: string): string {
    const [, user = '', password = ''] = Buffer.from(encoded, 'base64').toString().split('\0')
    return this.#login(tag, user, password)
  }

  #list(name: string, pattern: string): true {
    if (pattern === '') this.#parts.write(`* ${name} (\\Noselect) "/" "/"\r\n`)
    const form = new RegExp(
      `^${pattern
        .split(/([*%])/)
        .map((part) => WILD[part] ?? RegExp.escape(part))
        .join('')}$`,
      'i',
    )
    for (const [path, { flags }] of Object.entries(FOLDERS))
      if (pattern !== '' && form.test(path)) this.#parts.write(`* ${name} (${flags}) "/" ${formatImapString(path)}\r\n`)
    return true
  }

  #status(path: string): true | string {
    const messages = this.#listMessages(path)
    if (!messages || !this.#account) return 'NO [NONEXISTENT] Unknown Mailbox'
    const { uidNext, uidValidity } = this.#account
    const unseen = messages.filter(({ labelIds }) => labelIds.includes('UNREAD')).length
    this.#parts.write(
      `* STATUS ${formatImapString(path)} (MESSAGES ${messages.length} UIDNEXT ${uidNext} UIDVALIDITY ${uidValidity} UNSEEN ${unseen})\r\n`,
    )
    return true
  }

  #open(path: string, how: 'SELECT' | 'EXAMINE'): string {
    const messages = this.#listMessages(path)
    if (!messages || !this.#account) return `NO [NONEXISTENT] Unknown Mailbox: ${path} (Failure)`
    this.#folder = path
    this.#messages = messages
    this.#mayDelete = how === 'SELECT'
    this.#deleted.clear()
    const { uidNext, uidValidity } = this.#account
    this.#parts.write(
      `* FLAGS (\\Answered \\Flagged \\Draft \\Deleted \\Seen)\r\n* OK [PERMANENTFLAGS (${how === 'SELECT' ? '\\Deleted' : ''})] Flags permitted.\r\n` +
        `* OK [UIDVALIDITY ${uidValidity}] UIDs valid.\r\n* ${messages.length} EXISTS\r\n* 0 RECENT\r\n` +
        `* OK [UIDNEXT ${uidNext}] Predicted next UID.\r\n`,
    )
    return `OK [READ-${how === 'SELECT' ? 'WRITE' : 'ONLY'}] ${path} selected. (Success)`
  }

  #listMessages(path: string): StoredMessage[] | undefined {
    const { holds } = FOLDERS[/^inbox$/i.test(path) ? 'INBOX' : path] ?? {}
    return holds && this.#account?.messages.filter(holds)
  }

  /** Tells of mail that came in since. */
  #look(): void {
    if (this.#folder === undefined) return
    const messages = this.#listMessages(this.#folder) ?? []
    if (messages.length !== this.#messages.length) this.#parts.write(`* ${messages.length} EXISTS\r\n`)
    this.#messages = messages
  }

  /** Marks messages as deleted; no other flag is stored. */
  #store(words: ImapWord[], byUid: boolean): true | string {
    if (this.#account?.imap.trouble === 'cut-delete') {
      this.#parts.cut()
      return true
    }
    const [set, how, flags] = words
    const messages = this.#messages
    const chosen = inSet(toText(set), byUid ? (messages.at(-1)?.uid ?? 0) : messages.length)
    if (!this.#mayDelete || !chosen) return 'NO The folder is read only'
    const isDeleted = [flags].flat().some((flag) => /^\\deleted$/i.test(toText(flag)))
    if (!isDeleted || !/^\+flags/i.test(toText(how))) return 'NO Only messages can be marked as deleted'
    for (const [i, message] of messages.entries()) if (chosen(byUid ? message.uid : i + 1)) this.#deleted.add(message)
    return true
  }

  /** Deletes for good what is marked, as far as `chosen` has its number. */
  #expunge(chosen: ((uid: number) => boolean) | undefined): true | string {
    if (!this.#mayDelete || !chosen) return 'NO The folder is read only'
    for (const message of this.#deleted) {
      const at = this.#messages.indexOf(message)
      if (at < 0 || !chosen(message.uid)) continue
      this.#parts.write(`* ${at + 1} EXPUNGE\r\n`)
      this.#messages = this.#messages.filter((one) => one !== message)
      this.#account?.remove(message)
    }
    return true
  }

  #read(name: string, words: ImapWord[], byUid: boolean): boolean | string {
    if (name !== 'FETCH' && name !== 'SEARCH') return false
    if (this.#folder === undefined) return 'BAD No mailbox is selected'
    const messages = this.#messages
    if (name === 'SEARCH') {
      const matches = parseSearch(words, messages)
      if (!matches) return 'BAD Could not parse command'
      const found = messages.flatMap((one, i) => (matches(one, i + 1) ? [byUid ? one.uid : i + 1] : []))
      this.#parts.write(`* SEARCH${found.map((number) => ` ${number}`).join('')}\r\n`)
      return true
    }
    if (this.#account?.imap.trouble === 'cut') {
      this.#parts.cut()
      return true
    }
    const chosen = inSet(toText(words[0]), byUid ? (messages.at(-1)?.uid ?? 0) : messages.length)
    const items = parseFetchItems(words[1])
    if (!chosen || !items) return 'BAD Could not parse command'
    const asked = byUid && !items.some((item) => /^uid$/i.test(item)) ? ['UID', ...items] : items
    for (const [i, message] of messages.entries())
      if (chosen(byUid ? message.uid : i + 1)) this.#parts.write(fetched(message, i + 1, asked))
    return true
  }
}

const WILD: Record<string, string> = { '*': '.*', '%': '[^/]*' }
const toText = (word: ImapWord | undefined) => (typeof word === 'string' ? word : '')
