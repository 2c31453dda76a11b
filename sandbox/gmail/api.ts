import type { IncomingMessage, ServerResponse } from 'node:http'
import { MARK_HEADER } from '#server/adapters/sandbox/workspace-mark.ts'
import { Account, type StoredMessage, type Trouble } from './accounts.ts'
import { type ApiError, errors } from './errors.ts'
import { addressesIn, parseHeaders } from './message.ts'
import { returned } from './returned.ts'

const SEND = 'https://www.googleapis.com/auth/gmail.send'
const READ = ['https://www.googleapis.com/auth/gmail.readonly', 'https://mail.google.com/']
const METADATA = [...READ, 'https://www.googleapis.com/auth/gmail.metadata']
/** The whole message, and what its base64url form in JSON adds. */
const MESSAGE_BYTES = 35 * 1024 * 1024
const BODY_BYTES = 50 * 1024 * 1024

/** Who an access token stands for, as the issuer says. */
export type HolderOf = (token: string) => { email: string; scopes: string[] } | undefined

/** Hands a message on to the sandbox's mailbox, with the mark of the workspace that sent it. Returns the words of the server that refused it. */
export type Deliver = (message: {
  from: string
  to: string[]
  raw: Buffer
  mark: string
}) => Promise<string | undefined>

/** Where the emulators for imap.gmail.com and smtp.gmail.com listen on 127.0.0.1. */
export interface MailPorts {
  imap: number
  smtp: number
}

/** An emulator for the Gmail API: the real paths, scopes, quotas and error bodies, and a mailbox for each account. */
export class GmailApi {
  readonly #findTokenHolder: HolderOf
  readonly #deliver: Deliver
  readonly #accounts = new Map<string, Account>()
  /** Once its mailboxes are reached by mail programs too. */
  mailPorts: MailPorts | undefined

  constructor(findTokenHolder: HolderOf, deliver: Deliver) {
    this.#findTokenHolder = findTokenHolder
    this.#deliver = deliver
  }

  account(email: string): Account {
    const key = email.toLowerCase()
    const known = this.#accounts.get(key) ?? new Account(email)
    this.#accounts.set(key, known)
    return known
  }

  /** Serves a request below /gmail/v1 or /upload/gmail/v1. */
  async respond(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    const [, upload, user = '', rest = ''] =
      /^(\/upload)?\/gmail\/v1\/users\/([^/]+)\/(.+)$/.exec(decodeURI(url.pathname)) ?? []
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const holder = this.#findTokenHolder(token)
    if (!holder) return refuse(response, errors.unauthenticated())
    if (user !== 'me' && user.toLowerCase() !== holder.email.toLowerCase()) return refuse(response, errors.notFound())
    const account = this.account(holder.email)
    const can = (scopes: string[]) => scopes.some((scope) => holder.scopes.includes(scope))
    if (request.method === 'POST' && rest === 'messages/send') {
      if (!can([SEND, 'https://mail.google.com/'])) return refuse(response, errors.scope())
      return this.#send(account, request, url, upload !== undefined, response)
    }
    if (request.method !== 'GET') return refuse(response, errors.notFound())
    if (!can(METADATA)) return refuse(response, errors.scope())
    return read(account, rest, url, can(READ), response)
  }

  /** Takes a message that leaves, and puts what comes back of it at once into the mailbox. */
  async submit(
    account: Account,
    { raw, to, mark, threadId }: { raw: Buffer; to: string[]; mark: string; threadId?: string | undefined },
  ): Promise<StoredMessage> {
    account.noteSent()
    const message = account.add(raw, threadId, ['SENT'])
    const refusal = await this.#deliver({ from: account.email, to, raw, mark })
    if (refusal !== undefined)
      account.add(returned(account.email, to[0] ?? '', refusal, raw), message.threadId, ['INBOX', 'UNREAD'])
    return message
  }

  async #send(
    account: Account,
    request: IncomingMessage,
    url: URL,
    upload: boolean,
    response: ServerResponse,
  ): Promise<void> {
    const given = await messageIn(request, url, upload)
    const trouble = account.troubles.shift()
    if (trouble && trouble.kind !== 'lost') return respondTrouble(response, trouble)
    if (trouble?.kind === 'lost' && !trouble.taken) return void response.destroy()
    if ('error' in given) return refuse(response, given.error)
    const refusal = account.refusal()
    if (refusal)
      return refuse(response, refusal.kind === 'day' ? errors.mailSending(refusal.seconds) : errors.perMinute())
    const headers = parseHeaders(given.raw)
    const to = ['to', 'cc', 'bcc'].flatMap((name) => addressesIn(headers.get(name) ?? ''))
    if (to.length === 0) return refuse(response, errors.invalid('Recipient address required'))
    const mark = String(request.headers[MARK_HEADER] ?? '')
    const message = await this.submit(account, { ...given, to, mark })
    if (trouble) return void response.destroy()
    json(response, 200, { id: message.id, threadId: message.threadId, labelIds: message.labelIds })
  }
}

function respondTrouble(response: ServerResponse, trouble: Exclude<Trouble, { kind: 'lost' }>): void {
  switch (trouble.kind) {
    case 'status':
      return refuse(response, errors.backend(trouble.status))
    case 'garbage':
      response.writeHead(trouble.status, { 'content-type': 'text/html' })
      return void response.end('<html><title>Error</title>\u0000{{ not JSON')
    case 'rateLimit':
    case 'mailSending':
      return refuse(response, errors[trouble.kind](trouble.seconds))
    default:
      return refuse(response, errors[trouble.kind]())
  }
}

function read(account: Account, rest: string, url: URL, bodies: boolean, response: ServerResponse): void {
  const newest = account.messages.toReversed()
  const [kind, id] = rest.split('/')
  if (rest === 'profile')
    return json(response, 200, {
      emailAddress: account.email,
      messagesTotal: newest.length,
      threadsTotal: new Set(newest.map((one) => one.threadId)).size,
      historyId: String(account.historyId),
    })
  if (kind === 'history' && !id) {
    const start = Number(url.searchParams.get('startHistoryId'))
    if (start < account.historyFrom) return refuse(response, errors.notFound())
    const added = account.messages.filter((one) => one.historyId > start)
    return json(response, 200, {
      history: added.map(({ id, threadId, labelIds, historyId }) => ({
        id: String(historyId),
        messagesAdded: [{ message: { id, threadId, labelIds } }],
      })),
      historyId: String(account.historyId),
    })
  }
  if (kind === 'messages' && !id) {
    const most = Math.min(500, Number(url.searchParams.get('maxResults')) || 100)
    const leaveSent = url.searchParams.get('q')?.includes('-in:sent') ?? false
    const listed = newest.filter(({ labelIds }) => !(leaveSent && labelIds.includes('SENT'))).slice(0, most)
    return json(response, 200, { messages: listed.map(({ id, threadId }) => ({ id, threadId })) })
  }
  if (kind === 'threads' && id) {
    const messages = account.messages.filter((one) => one.threadId === id)
    if (messages.length === 0) return refuse(response, errors.notFound())
    return json(response, 200, { id, messages: messages.map((one) => shown(one, false)) })
  }
  const found = kind === 'messages' ? newest.find((one) => one.id === id) : undefined
  if (!found) return refuse(response, errors.notFound())
  json(response, 200, shown(found, bodies && url.searchParams.get('format') === 'raw'))
}

function shown(message: StoredMessage, whole: boolean) {
  const { id, threadId, labelIds, at, historyId, raw } = message
  const basics = {
    id,
    threadId,
    labelIds,
    historyId: String(historyId),
    internalDate: String(at),
    sizeEstimate: raw.length,
  }
  if (whole) return { ...basics, raw: raw.toString('base64url') }
  return { ...basics, payload: { headers: [...parseHeaders(raw)].map(([name, value]) => ({ name, value })) } }
}

/** The message of a send: JSON with `raw`, or the bytes themselves by media upload. */
async function messageIn(
  request: IncomingMessage,
  url: URL,
  upload: boolean,
): Promise<{ raw: Buffer; threadId?: string } | { error: ApiError }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= BODY_BYTES) chunks.push(chunk)
  }
  if (bytes > BODY_BYTES) return { error: errors.invalid('Request payload size exceeds the limit: 52428800 bytes.') }
  const body = Buffer.concat(chunks)
  const message = upload ? parseUpload(request, url, body) : parseJsonUpload(body)
  if (!message) return { error: errors.invalid('Invalid JSON payload received.') }
  if (message.raw.length > MESSAGE_BYTES) return { error: errors.invalid('Message too large.') }
  return message
}

function parseJsonUpload(body: Buffer): { raw: Buffer; threadId?: string } | undefined {
  try {
    const { raw, threadId } = JSON.parse(body.toString()) as { raw?: unknown; threadId?: unknown }
    if (typeof raw !== 'string') return undefined
    return { raw: Buffer.from(raw, 'base64url'), ...(typeof threadId === 'string' && { threadId }) }
  } catch {
    return undefined
  }
}

/** uploadType=media is the message itself; multipart (RFC 2387) is its JSON, which may name a thread, and then the message. */
function parseUpload(request: IncomingMessage, url: URL, body: Buffer): { raw: Buffer; threadId?: string } | undefined {
  if (url.searchParams.get('uploadType') === 'media') return { raw: body }
  const boundary = /boundary="?([^";]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (!boundary) return undefined
  const mark = `--${boundary}`
  const second = body.indexOf(`\r\n${mark}`, mark.length)
  const end = body.lastIndexOf(`\r\n${mark}--`)
  const content = (from: number) => body.indexOf('\r\n\r\n', from) + 4
  if (second < 0 || end <= second) return undefined
  try {
    const { threadId } = JSON.parse(body.subarray(content(0), second).toString()) as { threadId?: string }
    return { raw: body.subarray(content(second + 2), end), ...(threadId && { threadId }) }
  } catch {
    return undefined
  }
}

function refuse(response: ServerResponse, { status, body }: ApiError): void {
  json(response, status, body)
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
