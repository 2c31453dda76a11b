import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PROOF_PATH } from '../one-per-folder.ts'
import { Control } from './control.ts'
import { type Graph, review } from './graph.ts'
import { badParameter, GraphError, notLoadable } from './graph-error.ts'
import { readBytes, readJsonObject, sendJson } from './http.ts'
import { MediaShelf } from './media.ts'
import { numberFields, pick, subscription, templatePage } from './present.ts'
import { Sending, type SendReply } from './sending.ts'
import { type Business, type GraphNumber, GraphState } from './state.ts'
import { createTemplate, verdictOn } from './templates.ts'
import { debugToken, Uploads } from './uploads.ts'
import { Webhooks } from './webhooks.ts'

const VERSION = /^\/v(\d+)\.0(?=\/)/
/** The oldest version that is still supported. */
const OLDEST = 21

/** Meta's Graph API for WhatsApp on 127.0.0.1. `port` 0 takes any free one; `key` opens its control. */
export async function startGraphServer(port: number, key: string, file?: string): Promise<Graph> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const taken = (server.address() as AddressInfo).port
  const state = new GraphState(file)
  const webhooks = new Webhooks()
  const media = new MediaShelf(`http://127.0.0.1:${taken}`, state.nextId)
  const graph: Graph = {
    port: taken,
    server,
    state,
    webhooks,
    sending: new Sending(state, webhooks),
    media,
    uploads: new Uploads(),
    reviewMs: 1_500,
  }
  const routes = new Routes(graph, new Control(graph, key))
  server.on('request', (request, response) => {
    routes.respond(request, response).catch((error: Error) => {
      if (response.headersSent) return
      if (error instanceof GraphError) return sendJson(response, error.status, error.body)
      sendJson(response, 500, {
        error: { message: error.message, type: 'OAuthException', code: 1, fbtrace_id: 'none' },
      })
    })
  })
  return graph
}

interface Call {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  business: Business
}

class Routes {
  readonly #graph: Graph
  readonly #control: Control

  constructor(graph: Graph, control: Control) {
    this.#graph = graph
    this.#control = control
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${this.#graph.port}`)
    // A page elsewhere whose name was made to lead here has no business here.
    if (request.headers.host !== url.host) return sendJson(response, 421, { error: { message: 'wrong host' } })
    if (url.pathname === PROOF_PATH || url.pathname.startsWith('/__sandbox/')) {
      const body = request.method === 'POST' ? JSON.parse((await readBytes(request)).toString() || '{}') : undefined
      return this.#control.respond(request, url, body, (status, value) => sendJson(response, status, value))
    }
    const business = this.#findBusiness(request, url)
    if (url.pathname.startsWith('/media/')) return this.#graph.media.send(url.pathname.slice(7), business.id, response)
    const version = VERSION.exec(url.pathname)
    if (!version || Number(version[1]) < OLDEST)
      throw new GraphError(400, 2635, '(#2635) You are calling a deprecated version')
    const [id = '', edge = ''] = url.pathname.slice(version[0].length + 1).split('/')
    return this.#route({ request, response, url, business }, id, edge)
  }

  #findBusiness(request: IncomingMessage, url: URL): Business {
    const [, bearer] = /^(?:Bearer|OAuth) +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const token = bearer ?? url.searchParams.get('access_token') ?? ''
    const business = this.#graph.state.ofToken(token)
    if (!business)
      throw new GraphError(401, 190, 'Invalid OAuth access token - Cannot parse access token', { error_subcode: 467 })
    const proof = url.searchParams.get('appsecret_proof')
    const right = createHmac('sha256', business.appSecret).update(token).digest('hex')
    if (proof !== null && (proof.length !== right.length || !timingSafeEqual(Buffer.from(proof), Buffer.from(right))))
      throw new GraphError(400, 100, 'Invalid appsecret_proof provided in the API argument', {
        type: 'GraphMethodException',
      })
    return business
  }

  async #route(call: Call, id: string, edge: string): Promise<void> {
    const { state, media } = this.#graph
    const { business, response } = call
    const found = state.findNumber(id)
    if (found && found.business !== business)
      throw new GraphError(403, 10, '(#10) Application does not have permission for this action')
    const stored = media.businessOf(id) === business.id ? media.find(id) : undefined
    if (stored && edge === '' && call.request.method === 'GET') return sendJson(response, 200, stored)
    if (found) return this.#number(call, found.number, edge)
    if (id === business.id) return this.#business(call, edge)
    if (id === 'debug_token')
      return sendJson(response, 200, debugToken(state.ofToken(call.url.searchParams.get('input_token') ?? '')))
    if (call.request.method === 'POST' && edge === 'uploads')
      return sendJson(response, 200, this.#graph.uploads.open(business, id, call.url.searchParams))
    if (call.request.method === 'POST' && id.startsWith('upload:')) return this.#takeUpload(call, id.slice(7))
    throw notLoadable(id)
  }

  async #takeUpload({ request, response, url, business }: Call, id: string): Promise<void> {
    const [scheme = ''] = String(request.headers.authorization).split(' ')
    const given = { sig: url.searchParams.get('sig'), scheme, offset: request.headers.file_offset }
    sendJson(response, 200, this.#graph.uploads.take(business, id, given, await readBytes(request)))
  }

  async #number(call: Call, number: GraphNumber, edge: string): Promise<void> {
    const { request, response, business } = call
    const { sending, media } = this.#graph
    switch (`${request.method} ${edge}`) {
      case 'GET ':
        return sendJson(
          response,
          200,
          pick(numberFields(business, number, business.perSecond ?? sending.perSecond), call.url),
        )
      case 'POST messages':
        return deliver(response, sending.take(business, number, await readJsonObject(request)))
      case 'POST media': {
        const body = await readBytes(request)
        const parsedBody = new Response(new Uint8Array(body), {
          headers: { 'content-type': String(request.headers['content-type']) },
        })
        const form = await parsedBody.formData().catch(() => undefined)
        const file = form?.get('file')
        if (form?.get('messaging_product') !== 'whatsapp')
          throw badParameter("Parameter 'messaging_product' is required")
        if (!(file instanceof File)) throw badParameter("Parameter 'file' is required")
        return sendJson(response, 200, {
          id: media.keep(Buffer.from(await file.arrayBuffer()), file.type, file.name, business.id),
        })
      }
      default:
        throw notLoadable(number.id)
    }
  }

  async #business(call: Call, edge: string): Promise<void> {
    const { request, response, business, url } = call
    switch (`${request.method} ${edge}`) {
      case 'GET ': {
        const owner = { id: business.portfolioId, name: business.name }
        return sendJson(response, 200, pick({ id: business.id, name: business.name, owner_business_info: owner }, url))
      }
      case 'GET phone_numbers': {
        const data = business.numbers.map((number) =>
          numberFields(business, number, business.perSecond ?? this.#graph.sending.perSecond),
        )
        return sendJson(response, 200, { data, paging: { cursors: { before: 'a', after: 'b' } } })
      }
      case 'GET subscribed_apps':
        return sendJson(response, 200, {
          data: business.callback ? [subscription(business, business.callback.url)] : [],
        })
      case 'DELETE subscribed_apps':
        business.callback = undefined
        this.#graph.state.save()
        return sendJson(response, 200, { success: true })
      case 'POST subscribed_apps':
        return this.#subscribe(call)
      case 'GET message_templates':
        return sendJson(response, 200, templatePage(business, url))
      case 'POST message_templates':
        return this.#create(call)
      case 'DELETE message_templates': {
        const [name, id] = [url.searchParams.get('name'), url.searchParams.get('hsm_id')]
        const before = business.templates.length
        business.templates = business.templates.filter((one) => one.name !== name || (id !== null && one.id !== id))
        if (business.templates.length === before) throw badParameter('message template not found')
        this.#graph.state.save()
        return sendJson(response, 200, { success: true })
      }
      default:
        throw notLoadable(business.id)
    }
  }

  async #subscribe({ request, response, business }: Call): Promise<void> {
    const given = await readJsonObject(request)
    if (typeof given.override_callback_uri === 'string') {
      const callback = { url: given.override_callback_uri, verifyToken: String(given.verify_token ?? '') }
      await this.#graph.webhooks.verify(callback.url, callback.verifyToken)
      business.callback = callback
      this.#graph.state.save()
    }
    sendJson(response, 200, { success: true })
  }

  async #create({ request, response, business }: Call): Promise<void> {
    const { state, uploads } = this.#graph
    const template = createTemplate(business, await readJsonObject(request), state.nextId, (handle, format) =>
      uploads.holds(business, handle, format),
    )
    state.save()
    sendJson(response, 200, { id: template.id, status: template.status, category: template.category })
    const verdict = business.reviewsByHand ? undefined : verdictOn(template)
    if (verdict)
      setTimeout(
        () => review(this.#graph, business, template, verdict.status, verdict.reason),
        this.#graph.reviewMs,
      ).unref()
  }
}

/** Sends the answer of a message, or breaks off where its recipient is one of those. */
function deliver(response: ServerResponse, { body, wire }: SendReply): void {
  if (wire === 'lost' || wire === 'silent' || wire === 'reset') {
    response.socket?.destroy()
    return
  }
  if (wire === 'html') {
    response.writeHead(500, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Sorry, something went wrong.</title>')
    return
  }
  const respond = () => sendJson(response, 200, body)
  if (wire === 'early') setTimeout(respond, 150)
  else respond()
}

/** Ends its timers and connections, once its state is written. */
export async function stopGraph({ sending, webhooks, state, server }: Graph): Promise<void> {
  sending.stop()
  webhooks.stop()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  state.close()
}
