import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Deliver, GmailApi } from '#sandbox/gmail/api.ts'
import { type ControlCall, control } from '#sandbox/gmail/control.ts'
import { computeProof, PROOF_PATH } from '../one-per-folder.ts'
import { type AuthorizationRequest, type Client, checkAuthorization, clientFor, type Person } from './authorization.ts'
import { Expiring } from './expiring.ts'
import { consentPage, type HtmlPage, isGranular, refusalPage } from './pages.ts'
import { buildClaims, TokenRefusal, Tokens } from './tokens.ts'

const BODY_BYTES = 1024 * 1024
const REMEMBERED = 6
/** A wish may bring a large message. */
const WISH_BYTES = 32 * 1024 * 1024

/** Where a caller who knows the client's secret tells the emulators how to behave (tests). */
export const CONTROL_PATH = '/sandbox/control'

/**
 * An OpenID Connect issuer on 127.0.0.1 that believes whatever address is typed: discovery, keys, authorization code with
 * PKCE, refresh tokens, user info; and, since its tokens open it, the emulator for the Gmail API. `port` 0 takes any free
 * one. `deliver` shows what was sent through Gmail.
 */
export async function startOidcServer(
  client: Client & { secret: string },
  port: number,
  deliver: Deliver = async () => undefined,
): Promise<{ port: number; server: Server; gmail: GmailApi }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const taken = (server.address() as AddressInfo).port
  const issuer = new Issuer(`http://127.0.0.1:${taken}`, client, deliver)
  server.on('request', (request, response) => {
    issuer.respond(request, response).catch((error: Error) => {
      if (!response.headersSent) sendJson(response, 500, { error: 'server_error', error_description: error.message })
    })
  })
  return { port: taken, server, gmail: issuer.gmail }
}

class Issuer {
  readonly #url: string
  readonly #client: Client & { secret: string }
  readonly #tokens: Tokens
  readonly gmail: GmailApi
  readonly #waiting = new Expiring<AuthorizationRequest>(600)
  /** Who was here, the last one first, to be chosen again. */
  #people: Person[] = []

  constructor(url: string, client: Client & { secret: string }, deliver: Deliver) {
    this.#url = url
    this.#client = client
    this.#tokens = new Tokens(url)
    this.gmail = new GmailApi((token) => {
      const held = this.#tokens.findHolder(token)
      return held && { email: held.person.email, scopes: held.scopes }
    }, deliver)
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.#url)
    // A page elsewhere whose name was made to lead here has no business here.
    if (request.headers.host !== new URL(this.#url).host) return sendJson(response, 421, { error: 'wrong host' })
    if (/^(\/upload)?\/gmail\/v1\//.test(url.pathname)) return this.gmail.respond(request, url, response)
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return sendJson(response, 200, metadata(this.#url))
      case `GET ${PROOF_PATH}`:
        return sendJson(response, 200, { proof: computeProof(this.#client.secret), mail: this.gmail.mailPorts })
      case 'GET /jwks':
        return sendJson(response, 200, await this.#tokens.jwks())
      case 'GET /authorize':
        return this.#ask(url.searchParams, response)
      case 'POST /authorize':
        return this.#decide(await readForm(request), response)
      case 'POST /token':
        return this.#grant(request, response)
      case 'POST /revoke':
        return this.#tokens.revoke((await readForm(request)).get('token') ?? '')
          ? sendJson(response, 200, {})
          : sendJson(response, 400, { error: 'invalid_token', error_description: 'Token expired or revoked' })
      case `POST ${CONTROL_PATH}`:
        return this.#control(request, response)
      case 'GET /userinfo':
      case 'POST /userinfo':
        return this.#userInfo(request, response)
      default:
        return sendJson(response, 404, { error: 'not_found' })
    }
  }

  #ask(query: URLSearchParams, response: ServerResponse): void {
    const checked = checkAuthorization(query, this.#client)
    if ('request' in checked) {
      const id = this.#waiting.put(checked.request)
      return sendPage(response, 200, consentPage(id, checked.request, this.#people, undefined))
    }
    if (!checked.redirectTo) return sendPage(response, 400, refusalPage(checked.description))
    const { uri, state } = checked.redirectTo
    this.#leadBack(response, uri, { error: checked.error, error_description: checked.description, state })
  }

  #decide(form: URLSearchParams, response: ServerResponse): void {
    const id = form.get('request') ?? ''
    const request = this.#waiting.get(id)
    if (!request)
      return sendPage(
        response,
        400,
        refusalPage('This request was already completed, or has expired. Start again in Postlark.'),
      )
    if (form.get('choice') !== 'allow') {
      this.#waiting.take(id)
      return this.#leadBack(response, request.redirectUri, { error: 'access_denied', state: request.state })
    }
    const email = (form.get('email') ?? '').trim()
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
      const text = 'Type an email address, such as ada@example.com.'
      return sendPage(response, 400, consentPage(id, request, this.#people, { email, text }))
    }
    this.#waiting.take(id)
    const person = buildPerson(email, (form.get('name') ?? '').trim(), form.get('unverified') === null)
    this.#people = [person, ...this.#people.filter((one) => one.subject !== person.subject)].slice(0, REMEMBERED)
    // Google lets people grant some of what is asked; the boxes are on the page only where there is a choice.
    const granted = form.get('granular') === null ? request.scopes : form.getAll('grant')
    const scopes = request.scopes.filter((scope) => !isGranular(scope) || granted.includes(scope))
    const code = this.#tokens.code({ person, request, scopes, testing: form.get('testing') !== null })
    this.#leadBack(response, request.redirectUri, { code, state: request.state })
  }

  #leadBack(response: ServerResponse, uri: string, answer: Record<string, string | null>): void {
    const address = new URL(uri)
    // RFC 9207: the answer names who gives it.
    for (const [name, value] of Object.entries({ ...answer, iss: this.#url }))
      if (value !== null) address.searchParams.set(name, value)
    response.writeHead(303, { location: address.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    response.end()
  }

  async #grant(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request)
    try {
      const clientId = this.#authenticate(request, form)
      sendJson(response, 200, await this.#tokens.grant(form, clientId))
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error
      sendJson(response, error.status, { error: error.code, error_description: error.message })
    }
  }

  /** client_secret_basic or client_secret_post. */
  #authenticate(request: IncomingMessage, form: URLSearchParams): string {
    const [, basic] = /^Basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const given = basic
      ? Buffer.from(basic, 'base64')
          .toString()
          .split(':')
          .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      : [form.get('client_id') ?? '', form.get('client_secret') ?? '']
    const [id = '', secret = ''] = given
    const client = clientFor(this.#client, id)
    const fits = client?.secret === null ? secret.startsWith('GOCSPX-') : client && isSame(secret, client.secret)
    if (!fits) throw new TokenRefusal('invalid_client', 'this client is not known, or its secret is wrong', 401)
    return id
  }

  async #control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isSame(String(request.headers['x-sandbox-key'] ?? ''), this.#client.secret))
      return sendJson(response, 403, { error: 'forbidden' })
    const wish = JSON.parse((await readBody(request, WISH_BYTES)).toString()) as ControlCall & {
      revoke?: boolean
      expireAccess?: boolean
    }
    if (wish.revoke) this.#tokens.revokeAll(wish.email)
    if (wish.expireAccess) this.#tokens.expireAccess(wish.email)
    sendJson(response, 200, control(this.gmail, wish))
  }

  #userInfo(request: IncomingMessage, response: ServerResponse): void {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const held = this.#tokens.findHolder(token)
    if (!held) return sendJson(response, 401, { error: 'invalid_token' })
    sendJson(response, 200, { sub: held.person.subject, ...buildClaims(held.person, held.scopes) })
  }
}

/** The same address is always the same person: a number of 21 digits, as Google's subjects are. */
function buildPerson(email: string, name: string, emailVerified: boolean): Person {
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex')
  const subject = String(10n ** 20n + BigInt(`0x${digest.slice(0, 16)}`))
  return { subject, email, name: name || (email.split('@')[0] ?? email), emailVerified }
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: [
      'openid',
      'email',
      'profile',
      'https://www.googleapis.com/auth/gmail.send',
      'https://www.googleapis.com/auth/gmail.readonly',
    ],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'email', 'email_verified', 'name'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

const readForm = async (request: IncomingMessage) => new URLSearchParams((await readBody(request)).toString())

async function readBody(request: IncomingMessage, most = BODY_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > most) throw new Error('the form is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

function sendPage(response: ServerResponse, status: number, { html, policy }: HtmlPage): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(html)
}
