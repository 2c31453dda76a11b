import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isInScope, type SandboxScope } from '#server/features/sandbox/index.ts'

export interface GraphNumber {
  id: string
  digits: string
  display: string
  verifiedName: string
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
}

export interface GraphTemplate {
  id: string
  name: string
  language: string
  category: string
  status: string
  parameter_format: 'NAMED' | 'POSITIONAL'
  quality_score?: { score: string; date: number }
  components: Component[]
  /** Why it was refused or paused, in Meta's code or words. */
  reason?: string
}

export interface Component {
  type: string
  format?: string
  text?: string
  buttons?: { type: string; text?: string; url?: string; phone_number?: string }[]
  [key: string]: unknown
}

/** A business: an app with its secret, a token, an account with numbers and templates. */
export interface Business {
  id: string
  name: string
  /** The workspace that created it; missing: none. */
  workspace?: string | undefined
  /** New templates wait until somebody decides about them. */
  reviewsByHand?: boolean | undefined
  portfolioId: string
  token: string
  appSecret: string
  tier: string
  callback: { url: string; verifyToken: string } | undefined
  /** Messages a second of each of its numbers, where it is not what all have. */
  perSecond?: number | undefined
  /** The share of people something happens to, as to the numbers with a fate. */
  troubled?: number | undefined
  numbers: GraphNumber[]
  templates: GraphTemplate[]
}

/** What a business of the emulator may be like. */
export type BusinessTraits = Partial<Pick<Business, 'tier' | 'perSecond' | 'troubled' | 'workspace'>> & {
  /** A number whose business it shares the portfolio with. */
  portfolioOf?: string | undefined
}

/** A file of a message: stored by the emulator, or at an address of somebody else's. */
export interface ChatMedia {
  kind: 'image' | 'video' | 'audio' | 'document' | 'sticker'
  id: string | null
  link: string | null
  name: string
}

export interface ChatMessage {
  id: string
  from: 'business' | 'person'
  kind: string
  text: string
  header: string
  footer: string
  buttons: { text: string; payload: string; reply: boolean }[]
  /** Its buttons are rows of a list: what is tapped comes back as one. */
  isList?: boolean
  media: ChatMedia | null
  status: string
  /** Milliseconds since 1970. */
  at: number
  callback?: string | undefined
  category?: string | undefined
  code?: number | undefined
}

export interface Chat {
  number: string
  person: string
  name: string
  messages: ChatMessage[]
  lastInAt: number
  stopped: boolean
  /** What happens to the next messages to this person. */
  fate?: { when: 'answer' | 'webhook'; code: number; left: number }
}

interface StoredState {
  businesses: Business[]
  chats: Chat[]
  reviewsByHand?: boolean
  nextId: number
}

const CHAT_LIMIT = 2_000
const SAVE_MS = 500

const button = (text: string) => ({ type: 'QUICK_REPLY', text })
const body = (text: string, example: Record<string, unknown> = {}): Component => ({ type: 'BODY', text, ...example })

function firstTemplates(nextId: () => string): GraphTemplate[] {
  const make = (
    name: string,
    category: string,
    components: Component[],
    parameter_format: GraphTemplate['parameter_format'] = 'POSITIONAL',
  ): GraphTemplate => ({
    id: nextId(),
    name,
    language: 'en_US',
    category,
    status: 'APPROVED',
    parameter_format,
    components,
  })
  return [
    make('hello_world', 'UTILITY', [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      body(
        'Welcome and congratulations!! This message demonstrates your ability to send a WhatsApp message notification.',
      ),
      { type: 'FOOTER', text: 'WhatsApp Business Platform sample message' },
    ]),
    make('order_update', 'UTILITY', [
      body('Hi {{1}}, your order {{2}} is on its way.', { example: { body_text: [['Ada', 'A-1042']] } }),
    ]),
    make(
      'seasonal_offer',
      'MARKETING',
      [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://example.com/offer.png'] } },
        body('Hi {{first_name}}, our autumn range is here. {{company}} gets it first.', {
          example: {
            body_text_named_params: [
              { param_name: 'first_name', example: 'Ada' },
              { param_name: 'company', example: 'Analytical Engines' },
            ],
          },
        }),
        { type: 'FOOTER', text: 'Tap Stop promotions to opt out' },
        {
          type: 'BUTTONS',
          buttons: [
            button('Tell me more'),
            button('Stop promotions'),
            { type: 'URL', text: 'Shop', url: 'https://example.com/autumn/{{1}}', example: ['x'] } as never,
          ],
        },
      ],
      'NAMED',
    ),
  ]
}

/** What the emulator knows. Stored in a file, so that a connected number is still there after a restart. */
export class GraphState {
  businesses: Business[] = []
  /** Of new businesses. */
  reviewsByHand = false
  readonly chats = new Map<string, Chat>()
  readonly #file: string | undefined
  #nextId = 100_000_000_000_000
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(file?: string) {
    this.#file = file
    try {
      const kept = file ? (JSON.parse(readFileSync(file, 'utf8')) as StoredState) : undefined
      this.businesses = kept?.businesses ?? []
      this.reviewsByHand = kept?.reviewsByHand ?? false
      for (const chat of kept?.chats ?? []) this.chats.set(`${chat.number}:${chat.person}`, chat)
      this.#nextId = kept?.nextId ?? this.#nextId
    } catch {
      // A first start, or a file of an older shape: begin anew.
    }
    if (this.businesses.length === 0) this.addBusiness('Analytical Engines')
  }

  nextId = (): string => String(++this.#nextId)

  addBusiness(
    name: string,
    { tier = 'TIER_2K', perSecond, troubled, workspace, portfolioOf }: BusinessTraits = {},
  ): Business {
    const digits = `4930${23_125_100 + this.businesses.length}`
    const business: Business = {
      id: this.nextId(),
      name,
      workspace,
      reviewsByHand: this.reviewsByHand || undefined,
      portfolioId: (portfolioOf && this.findNumber(portfolioOf)?.business.portfolioId) || this.nextId(),
      token: `EAA${randomBytes(24).toString('base64url').replace(/[-_]/g, 'x')}`,
      appSecret: randomBytes(16).toString('hex'),
      tier,
      callback: undefined,
      perSecond,
      troubled,
      numbers: [
        {
          id: this.nextId(),
          digits,
          display: `+49 30 ${digits.slice(4, 9)} ${digits.slice(9)}`,
          verifiedName: name,
          quality: 'GREEN',
        },
      ],
      templates: firstTemplates(this.nextId),
    }
    this.businesses.push(business)
    this.save()
    return business
  }

  /** The businesses that a reader of the sandbox may see. */
  within(scope: SandboxScope): Business[] {
    return this.businesses.filter(({ workspace }) => isInScope(scope, { workspaceId: workspace ?? null }))
  }

  ofToken(token: string): Business | undefined {
    return this.businesses.find((business) => business.token === token)
  }

  findNumber(id: string): { business: Business; number: GraphNumber } | undefined {
    for (const business of this.businesses) {
      const number = business.numbers.find((one) => one.id === id)
      if (number) return { business, number }
    }
    return undefined
  }

  chat(number: string, person: string): Chat {
    const key = `${number}:${person}`
    let chat = this.chats.get(key)
    if (!chat) {
      chat = { number, person, name: `Person ${person.slice(-4)}`, messages: [], lastInAt: 0, stopped: false }
      this.chats.set(key, chat)
    }
    return chat
  }

  /** Puts a message into a chat; the chat moves to the end, and the oldest chats go when there are too many. */
  put(chat: Chat, message: ChatMessage): void {
    chat.messages.push(message)
    const key = `${chat.number}:${chat.person}`
    this.chats.delete(key)
    this.chats.set(key, chat)
    if (this.chats.size > CHAT_LIMIT) {
      const [oldest] = this.chats.keys()
      if (oldest) this.chats.delete(oldest)
    }
    this.save()
  }

  wamid(digits: string): string {
    return `wamid.${Buffer.from(`\x1d\x05${digits}\x15\x02\x00\x11\x18\x12${randomBytes(9).toString('hex').toUpperCase()}${randomInt(10)}`).toString('base64')}`
  }

  save(): void {
    if (this.#file && !this.#closed) this.#timer ??= setTimeout(() => this.flush(), SAVE_MS).unref()
  }

  /** Writes what is known for the last time; what changes afterwards is not saved. */
  close(): void {
    this.flush()
    this.#closed = true
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#file) return
    const { businesses, reviewsByHand } = this
    const kept: StoredState = { businesses, chats: [...this.chats.values()], reviewsByHand, nextId: this.#nextId }
    const draft = `${this.#file}.new`
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
    renameSync(draft, this.#file)
  }
}
