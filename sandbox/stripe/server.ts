import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { computeProof, PROOF_PATH } from '../one-per-folder.ts'
import { buildRoutes } from './api.ts'
import { Billing } from './billing.ts'
import { type ApiCall, control, type Fault } from './control.ts'
import { API_VERSION, Events } from './events.ts'
import { decodeForm, Params } from './form.ts'
import { HostedPages } from './hosted-pages.ts'
import { Idempotency } from './idempotency.ts'
import { StripeRefusal, wrong } from './refusal.ts'
import { Reversals } from './reversals.ts'
import type { Route } from './route.ts'
import { State } from './state.ts'

const BODY_BYTES = 256 * 1024
const TICK_MS = 500

export interface Keys {
  secretKey: string
  webhookSecret: string
}

/** Stripe's API with its hosted pages, on 127.0.0.1. `port` 0 takes any free one; `file` keeps what it knows. */
export async function startStripeServer(keys: Keys, port: number, file?: string) {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const taken = (server.address() as AddressInfo).port
  const stripe = new StripeServer(keys, `http://127.0.0.1:${taken}`, file)
  server.on('request', (request, response) => void stripe.respond(request, response))
  return {
    port: taken,
    events: stripe.events,
    stop: async () => {
      await stripe.stop()
      await closed(server)
    },
  }
}

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

class StripeServer {
  readonly #url: string
  readonly #keys: Keys
  readonly #state: State
  readonly #billing: Billing
  readonly #reversals: Reversals
  readonly #routes: Route[]
  readonly #pages: HostedPages
  readonly #idempotency = new Idempotency()
  readonly #faults: Fault[] = []
  readonly #journal: ApiCall[] = []
  readonly #clock: ReturnType<typeof setInterval>
  readonly events: Events

  constructor(keys: Keys, url: string, file: string | undefined) {
    this.#url = url
    this.#keys = keys
    this.#state = new State(file)
    this.events = new Events(this.#state, keys.webhookSecret)
    this.#reversals = new Reversals(this.#state, this.events)
    this.#billing = new Billing(this.#state, this.events, this.#reversals, url)
    this.#routes = buildRoutes(this.#state, this.#billing, this.#reversals, url)
    this.#pages = new HostedPages(this.#state, this.#billing)
    this.#clock = setInterval(() => this.#tick(), TICK_MS)
  }

  #tick(): void {
    if (this.#billing.tick()) this.#state.save()
  }

  async stop(): Promise<void> {
    clearInterval(this.#clock)
    await this.events.stop()
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', this.#url)
      // A page elsewhere whose name was made to lead here has no business here.
      if (request.headers.host !== new URL(this.#url).host) return void response.writeHead(421).end()
      const body = await readBody(request)
      if (/^\/[cpi]\//.test(url.pathname)) {
        this.#pages.respond(request, url, body, response)
        this.#state.save()
        return
      }
      await this.#call(request, url, body, response)
    } catch (error) {
      const refusal =
        error instanceof StripeRefusal ? error : new StripeRefusal(500, String(error), { type: 'api_error' })
      if (!response.headersSent) send(response, refusal.status, refusal.body())
    }
  }

  async #call(request: IncomingMessage, url: URL, body: string, response: ServerResponse): Promise<void> {
    if (url.pathname === PROOF_PATH) return send(response, 200, { proof: computeProof(this.#keys.secretKey) })
    this.#authenticate(request)
    const method = request.method ?? 'GET'
    if (url.pathname.startsWith('/__control/')) {
      const parts = {
        state: this.#state,
        billing: this.#billing,
        reversals: this.#reversals,
        events: this.events,
        faults: this.#faults,
        journal: this.#journal,
      }
      send(response, 200, control(parts, method, url.pathname.slice('/__control/'.length), body))
      this.#state.save()
      return
    }
    const status = await this.#respondOnce(request, method, url, body, response)
    this.#journal.push({ method, path: url.pathname, status })
  }

  async #respondOnce(
    request: IncomingMessage,
    method: string,
    url: URL,
    body: string,
    response: ServerResponse,
  ): Promise<number> {
    const fault = this.#faults.find((one) => one.times > 0 && `${method} ${url.pathname}`.includes(one.match))
    if (fault) {
      fault.times--
      if (fault.delayMs) await wait(fault.delayMs)
      if (fault.drop) {
        response.destroy()
        return 0
      }
      if (fault.status) return refuse(response, fault.status)
    }
    const key = method === 'POST' ? request.headers['idempotency-key'] : undefined
    const work = () => this.#work(method, url, body)
    const {
      status,
      answer: result,
      replayed,
    } = await this.#idempotency.once(key?.toString(), `${method} ${url.pathname} ${body}`, work)
    if (method !== 'GET') this.#state.save()
    send(response, status, result, replayed)
    return status
  }

  #work(method: string, url: URL, body: string): { status: number; answer: object; stored: boolean } {
    try {
      const { route, id } = this.#findRoute(method, url.pathname)
      const params = new Params(decodeForm(method === 'POST' ? body : url.search.slice(1)), route.takes)
      return { status: 200, answer: structuredClone(route.respond({ params, id })), stored: true }
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      // What never began is not stored under its key: it may be corrected and sent again.
      return { status: error.status, answer: error.body(), stored: error.status === 402 }
    }
  }

  #findRoute(method: string, path: string): { route: Route; id: string } {
    for (const route of this.#routes) {
      const [on, pattern = ''] = route.on.split(' ')
      const match = new RegExp(`^${pattern.replace(':id', '([\\w-]+)')}$`).exec(path)
      if (on === method && match) return { route, id: match[1] ?? '' }
    }
    throw new StripeRefusal(404, `Unrecognized request URL (${method}: ${path}).`)
  }

  #authenticate(request: IncomingMessage): void {
    const [, key = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const given = Buffer.from(key)
    const right = Buffer.from(this.#keys.secretKey)
    if (given.length !== right.length || !timingSafeEqual(given, right))
      throw new StripeRefusal(401, 'Invalid API Key provided.')
    const version = request.headers['stripe-version']
    if (version && version !== API_VERSION) throw wrong(`This emulator speaks version ${API_VERSION} only.`)
  }
}

function refuse(response: ServerResponse, status: number): number {
  const type = status === 429 ? 'invalid_request_error' : 'api_error'
  const refusal = new StripeRefusal(status, 'The emulator was told to fail.', {
    type,
    ...(status === 429 && { code: 'rate_limit' }),
  })
  send(response, status, refusal.body())
  return status
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES) throw new StripeRefusal(413, 'Request body too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function send(response: ServerResponse, status: number, body: object, replayed = false): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_${randomBytes(8).toString('hex')}`,
    'stripe-version': API_VERSION,
    ...(replayed && { 'idempotent-replayed': 'true' }),
  })
  response.end(JSON.stringify(body))
}
