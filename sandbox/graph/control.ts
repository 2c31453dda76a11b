import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Deed } from '#contracts/sandbox/whatsapp.ts'
import type { SandboxScope, WhatsAppPhone } from '#server/features/sandbox/index.ts'
import { computeProof, PROOF_PATH } from '../one-per-folder.ts'
import { type Graph, rate } from './graph.ts'
import { magicNumbers } from './magic.ts'
import { act, sendFile } from './person.ts'
import { listReviewedTemplates, reviewAll } from './reviews.ts'
import type { Business, BusinessTraits, Chat, ChatMessage, GraphNumber } from './state.ts'

/** The emulator's own side: what /sandbox reads and does. Over HTTP, because another process may run the emulator. */
export class Control {
  readonly #graph: Graph
  readonly #key: string

  constructor(graph: Graph, key: string) {
    this.#graph = graph
    this.#key = key
  }

  respond(request: IncomingMessage, url: URL, body: unknown, send: (status: number, value: unknown) => void): void {
    if (url.pathname === PROOF_PATH) return send(200, { proof: computeProof(this.#key) })
    const given = Buffer.from(String(request.headers['x-sandbox-key'] ?? ''))
    const right = Buffer.from(this.#key)
    if (given.length !== right.length || !timingSafeEqual(given, right)) return send(403, {})
    const { call, given: input } = body as { call: keyof WhatsAppPhone; given: never }
    const result = this.#do(call, input)
    send(200, { answer: result ?? null })
  }

  #do(call: keyof WhatsAppPhone, given: never): unknown {
    switch (call) {
      case 'numbers':
        return { items: this.#within(given).flatMap(shown), magic: magicNumbers() }
      case 'addNumber': {
        const { name, ...traits } = given as { name: string } & BusinessTraits
        return shown(this.#graph.state.addBusiness(name, traits))[0]
      }
      case 'chats':
        return this.#chats(given)
      case 'messages':
        return this.#messages(given)
      case 'say':
        return this.#say(given)
      case 'sendFile':
        return this.#sendFile(given)
      case 'media':
        return this.#media(given)
      case 'templates':
        return {
          items: this.#within(given).flatMap(listReviewedTemplates),
          byHand: this.#within(given).some(({ reviewsByHand }) => reviewsByHand),
        }
      case 'reviewByHand':
        return this.#reviewByHand(given)
      case 'review':
        return reviewAll(this.#graph, given)
      case 'quality': {
        return rateAll(this.#graph, given)
      }
      case 'reach': {
        const { publicUrl, address } = given as { publicUrl: string; address: string }
        this.#graph.webhooks.reach(publicUrl, address)
        return true
      }
      default:
        return undefined
    }
  }

  #within({ scope }: { scope: SandboxScope }): Business[] {
    return this.#graph.state.within(scope)
  }

  /** A number that the reader may see. */
  #number({ scope, number }: { scope: SandboxScope; number: string }) {
    const found = this.#graph.state.findNumber(number)
    return found && this.#within({ scope }).includes(found.business) ? found : undefined
  }

  #media({ scope, id }: { scope: SandboxScope; id: string }) {
    const { media } = this.#graph
    return this.#within({ scope }).some((business) => business.id === media.businessOf(id)) ? media.read(id) : undefined
  }

  #reviewByHand({ scope, byHand }: { scope: SandboxScope; byHand: boolean }): boolean {
    if (scope === 'all') this.#graph.state.reviewsByHand = byHand
    for (const business of this.#within({ scope })) business.reviewsByHand = byHand
    this.#graph.state.save()
    return true
  }

  #chats({ scope, limit, skip }: { scope: SandboxScope; limit: number; skip: number }) {
    const numbers = new Set(this.#within({ scope }).flatMap((business) => business.numbers.map(({ id }) => id)))
    const all = [...this.#graph.state.chats.values()]
      .reverse()
      .filter((chat) => chat.messages.length > 0 && numbers.has(chat.number))
    const items = all.slice(skip, skip + limit).map((chat) => ({
      number: chat.number,
      person: chat.person,
      name: chat.name,
      preview: buildPreview(chat.messages.at(-1)),
      messages: chat.messages.length,
      at: new Date(chat.messages.at(-1)?.at ?? 0).toISOString(),
    }))
    return { items, total: all.length }
  }

  #find({ number, person }: { number: string; person: string }): Chat | undefined {
    return this.#graph.state.chats.get(`${number}:${person}`)
  }

  #messages(given: { scope: SandboxScope; number: string; person: string }) {
    const { media } = this.#graph
    if (!this.#number(given)) return undefined
    return this.#find(given)?.messages.map((message) => ({
      ...message,
      // A message of an older emulator says nothing of its file.
      media: message.media
        ? {
            kind: message.media.kind,
            id: message.media.id && media.find(message.media.id) ? message.media.id : null,
            link: message.media.link,
            name: message.media.name || (message.media.id && media.fileName(message.media.id)) || '',
          }
        : null,
      at: new Date(message.at).toISOString(),
    }))
  }

  #place(found: { business: Business; number: GraphNumber }, given: { number: string; person: string }) {
    const { state, webhooks, media } = this.#graph
    return { state, webhooks, ...found, chat: state.chat(given.number, given.person), fileDigest: media.fileDigest }
  }

  #say(given: { scope: SandboxScope; number: string; person: string; act: Deed }): boolean {
    const { media } = this.#graph
    const found = this.#number(given)
    if (!found) return false
    const place = this.#place(found, given)
    return act(place, given.act, () => media.storeImage(found.business.id))
  }

  #sendFile(given: Parameters<WhatsAppPhone['sendFile']>[1] & { scope: SandboxScope }): boolean {
    const { media } = this.#graph
    const found = this.#number(given)
    if (!found) return false
    const { kind, mimeType, name, caption } = given
    const id = media.keep(Buffer.from(given.data, 'base64'), mimeType, name, found.business.id)
    const place = this.#place(found, given)
    sendFile(place, { kind, id, link: null, name }, mimeType, caption)
    return true
  }
}

const fileWords = { image: 'Image', video: 'Video', audio: 'Voice message', document: 'Document', sticker: 'Sticker' }

/** What a list shows of a message: its words, or what kind of file it is. */
function buildPreview(message: ChatMessage | undefined): string {
  if (!message) return ''
  return message.text.slice(0, 140) || (message.media ? message.media.name || fileWords[message.media.kind] : '')
}

/** Says it of every template of this name; returns how many there are. */
function rateAll(
  graph: Graph,
  { scope, name, quality }: { scope: SandboxScope; name: string; quality: string },
): number {
  const found = graph.state
    .within(scope)
    .flatMap((business) =>
      business.templates.filter((one) => one.name === name).map((template) => ({ business, template })),
    )
  for (const { business, template } of found) rate(graph, business, template, quality)
  return found.length
}

function shown(business: Business) {
  return business.numbers.map((number) => ({
    phoneNumberId: number.id,
    businessAccountId: business.id,
    accessToken: business.token,
    appSecret: business.appSecret,
    displayPhone: number.display,
    verifiedName: number.verifiedName,
  }))
}
