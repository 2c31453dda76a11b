import { badParameter, graphError } from './graph-error.ts'
import { parseInteractive } from './interactive.ts'
import { Limits } from './limits.ts'
import { type Fate, findFate, findRandomFate } from './magic.ts'
import type { Business, Chat, ChatMessage, GraphNumber, GraphState } from './state.ts'
import { isMedia, renderTemplate, templateFor, toChatMedia } from './templates.ts'
import { isScoped, statusChange, toIdentity, type Webhooks } from './webhooks.ts'

type Body = Record<string, unknown>
const WINDOW_MS = 24 * 3_600_000

/** How the connection of one answer ends, besides the answer. */
export type Wire = Extract<Fate, { when: 'wire' }>['what'] | undefined

export interface SendReply {
  body: unknown
  wire: Wire
}

/** What one message says, as the person sees it. Throws GraphError where it is not a message. */
function readMessageContent(business: Business, given: Body): Omit<ChatMessage, 'id' | 'from' | 'status' | 'at'> {
  const plain = { header: '', footer: '', buttons: [], media: null }
  const kind = String(given.type ?? 'text')
  const part = given[kind] as Body | undefined
  if (typeof part !== 'object' || part === null)
    throw graphError(131008, `Parameter '${kind}' is mandatory for type '${kind}'`)
  if (kind === 'text') {
    const text = String(part.body ?? '')
    if (text === '') throw graphError(131008, "(#131008) Required parameter 'text.body' is missing")
    if (text.length > 4_096) throw badParameter('Param text.body must be at most 4096 characters long.')
    return { ...plain, kind, text, category: 'service' }
  }
  if (isMedia(kind)) {
    if (!part.id && !part.link) throw graphError(131008, `(#131008) ${kind} needs an id or a link`)
    const { caption } = part
    if (caption !== undefined && (kind === 'audio' || kind === 'sticker'))
      throw badParameter(`Unexpected key "caption" on param "${kind}"`)
    if (String(caption ?? '').length > 1_024) throw badParameter('A caption has at most 1024 characters')
    return { ...plain, kind, text: String(caption ?? ''), media: toChatMedia(kind, part), category: 'service' }
  }
  if (kind === 'interactive') {
    const { text, isList, choices } = parseInteractive(part)
    const buttons = choices.map(({ id, title }) => ({ text: title, payload: id, reply: true }))
    return { ...plain, kind, text, buttons, isList, category: 'service' }
  }
  if (kind === 'template') {
    const template = templateFor(business, part)
    return { ...plain, kind, ...renderTemplate(template, part), category: template.category.toLowerCase() }
  }
  throw graphError(131051)
}

/** POST /{PHONE_NUMBER_ID}/messages: takes a message, responds as Meta does, and sends its statuses later. */
export class Sending {
  readonly #state: GraphState
  readonly #webhooks: Webhooks
  readonly #limits = new Limits()
  /** Numbers that were refused once, for those that pass the second time. */
  readonly #refused = new Set<string>()
  /** Messages a second of every number. */
  perSecond = 80
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(state: GraphState, webhooks: Webhooks) {
    this.#state = state
    this.#webhooks = webhooks
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  take(business: Business, number: GraphNumber, given: Body): SendReply {
    if (given.messaging_product !== 'whatsapp') throw badParameter("Parameter value is not valid: 'messaging_product'")
    if (given.status === 'read') return this.#readByBusiness(number, String(given.message_id))
    const person = this.#readPerson(given)
    this.#limits.throughput(number.id, business.perSecond ?? this.perSecond)
    const fate = this.#scripted(number, person) ?? findFate(person) ?? findRandomFate(person, business.troubled)
    if (fate?.when === 'answer' && !(fate.once && this.#refused.has(person))) {
      this.#refused.add(person)
      throw graphError(fate.code)
    }
    if (fate?.when === 'wire' && (fate.what === 'reset' || fate.what === 'html') && !this.#refused.has(person)) {
      this.#refused.add(person)
      return { body: undefined, wire: fate.what }
    }
    const content = readMessageContent(business, given)
    if (isScoped(person) && content.category === 'authentication') throw graphError(131062)
    this.#limits.pair(number.id, person)
    const chat = this.#state.chat(number.id, person)
    const message: ChatMessage = {
      ...content,
      id: this.#state.wamid(person),
      from: 'business',
      status: 'accepted',
      at: Date.now(),
      callback: given.biz_opaque_callback_data === undefined ? undefined : String(given.biz_opaque_callback_data),
    }
    this.#state.put(chat, message)
    const code = this.#findFailure(business, chat, message, fate)
    this.#follow(business, number, chat, message, code, fate?.when === 'wire' ? fate.what : undefined)
    const body = {
      messaging_product: 'whatsapp',
      contacts: [{ input: String(given.to ?? given.recipient), ...toIdentity(person) }],
      messages: [{ id: message.id, ...(content.kind === 'template' && { message_status: 'accepted' }) }],
    }
    return { body, wire: fate?.when === 'wire' ? fate.what : undefined }
  }

  /** The business read what the person wrote: they see it. */
  #readByBusiness(number: GraphNumber, id: string): SendReply {
    for (const chat of this.#state.chats.values()) {
      const at = chat.number === number.id ? chat.messages.findIndex((one) => one.id === id) : -1
      if (at < 0) continue
      for (const message of chat.messages.slice(0, at + 1)) if (message.from === 'person') message.status = 'read'
      return { body: { success: true }, wire: undefined }
    }
    throw badParameter('message_id is not a message this number received')
  }

  /** What was said to happen to the next messages to this person. */
  #scripted(number: GraphNumber, person: string): Fate | undefined {
    const fate = this.#state.chats.get(`${number.id}:${person}`)?.fate
    if (!fate || fate.left <= 0) return undefined
    fate.left--
    return { when: fate.when, code: fate.code, once: false }
  }

  /** Digits with the country; without a plus the business's own country is put before, as Meta does. */
  #readPerson(given: Body): string {
    const to = given.to === undefined ? '' : String(given.to)
    // Of both the number counts.
    if (!to && isScoped(String(given.recipient ?? ''))) return String(given.recipient)
    if (!to) throw graphError(131008, "(#131008) Required parameter is missing: 'to'")
    if (!/^[+\d() -]{5,30}$/.test(to)) throw graphError(131009, "Parameter 'to' is not a valid phone number")
    const digits = to.replaceAll(/\D/g, '')
    return to.trim().startsWith('+') ? digits : `49${digits}`
  }

  #findFailure(business: Business, chat: Chat, message: ChatMessage, fate: Fate | undefined): number | undefined {
    if (fate?.when === 'webhook') return fate.code
    const inWindow = chat.lastInAt > Date.now() - WINDOW_MS
    if (message.kind !== 'template') return inWindow ? undefined : 131047
    if (message.category === 'marketing') {
      if (chat.stopped) return 131050
      if (/^(1[2-9]\d{9}$|US\.)/.test(chat.person)) return 131049
    }
    return inWindow || this.#limits.reach(business.portfolioId, business.tier, chat.person) ? undefined : 131048
  }

  #follow(
    business: Business,
    number: GraphNumber,
    chat: Chat,
    message: ChatMessage,
    code: number | undefined,
    wire: Wire,
  ): void {
    const tell = (status: 'sent' | 'delivered' | 'read' | 'failed') => {
      if (message.status !== 'read') message.status = status
      if (status === 'failed') message.code = code
      this.#webhooks.send(business, statusChange(number, chat.person, message, status))
      this.#state.save()
    }
    if (wire === 'silent') return
    if (code !== undefined) return this.#later(30, () => tell('failed'))
    if (wire === 'early') tell('sent')
    if (wire === 'reordered') {
      for (const [ms, status] of [
        [20, 'read'],
        [60, 'delivered'],
        [90, 'sent'],
        [120, 'delivered'],
      ] as const)
        this.#later(ms, () => tell(status))
      return
    }
    this.#later(20, () => tell('sent'))
    if (wire === 'skipped') return this.#later(60, () => tell('read'))
    this.#later(50, () => tell('delivered'))
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      run()
    }, ms)
    this.#timers.add(timer.unref())
  }
}
