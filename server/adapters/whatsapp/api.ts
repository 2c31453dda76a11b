import type { Readable } from 'node:stream'
import { Agent, FormData } from 'undici'
import { type Call, Chunk, callWith, fetchMedia, type Json, toText, type WhatsAppKeys } from './call.ts'
import { WhatsAppProblem } from './problem.ts'

export interface NumberFacts {
  displayPhone: string
  verifiedName: string
  quality: string
  tier: string
  level: string
}

export interface RawTemplate {
  id: string
  name: string
  language: string
  category: string
  status: string
  reason: string
  /** GREEN, YELLOW, RED or UNKNOWN; empty where Meta said none. */
  quality: string
  parameterFormat: 'NAMED' | 'POSITIONAL'
  components: unknown[]
}

/** What Meta took: not yet delivered. `person` is its id of the recipient (wa_id). */
export interface Accepted {
  wamid: string
  person: string
  /** Of templates: accepted, held_for_quality_assessment or paused. */
  status: string
}

/** Meta's WhatsApp Cloud API, as far as the product uses it. Every call throws WhatsAppProblem. */
export interface WhatsAppApi {
  /** Where it is, so that another thread can speak to it too. */
  readonly baseUrl: string
  number(keys: WhatsAppKeys, phoneNumberId: string): Promise<NumberFacts>
  /** The portfolio a business account belongs to; empty where Meta does not say. */
  business(keys: WhatsAppKeys, businessAccountId: string): Promise<{ name: string; portfolioId: string }>
  listNumberIds(keys: WhatsAppKeys, businessAccountId: string): Promise<string[]>
  /** Asks Meta to bring webhooks of this business account to `callback`. Meta calls it before it responds. */
  subscribe(
    keys: WhatsAppKeys,
    businessAccountId: string,
    callback: { url: string; verifyToken: string },
  ): Promise<void>
  templates(keys: WhatsAppKeys, businessAccountId: string): Promise<RawTemplate[]>
  createTemplate(
    keys: WhatsAppKeys,
    businessAccountId: string,
    template: object,
  ): Promise<{ id: string; status: string; category: string }>
  /**
   * Hands over the sample of a template's media header by Meta's resumable upload, for the app the token was made for;
   * returns its handle.
   */
  uploadSample(keys: WhatsAppKeys, file: { bytes: Uint8Array; mimeType: string; name: string }): Promise<string>
  removeTemplate(keys: WhatsAppKeys, businessAccountId: string, name: string, id: string): Promise<void>
  /** `message` as Meta's reference has it, without messaging_product. */
  send(keys: WhatsAppKeys, phoneNumberId: string, message: object): Promise<Accepted>
  markRead(keys: WhatsAppKeys, phoneNumberId: string, wamid: string): Promise<void>
  upload(
    keys: WhatsAppKeys,
    phoneNumberId: string,
    file: { bytes: Uint8Array; mimeType: string; name: string },
  ): Promise<string>
  /** A received file, as it comes. Beyond `limit` bytes the stream breaks off. */
  download(keys: WhatsAppKeys, mediaId: string, limit: number): Promise<{ body: Readable; mimeType: string }>
  close(): Promise<void>
}

const RESPONSE_TIMEOUT_MS = 20_000
const CONNECTIONS = 64
const TEMPLATE_PAGES = 70
const NUMBER_FIELDS =
  'display_phone_number,verified_name,quality_rating,throughput,whatsapp_business_manager_messaging_limit'
const TEMPLATE_FIELDS = 'id,name,language,category,status,rejected_reason,quality_score,parameter_format,components'

/** What is read and set of numbers and business accounts. */
const numberCalls = (call: Call) =>
  ({
    async number(keys, phoneNumberId) {
      const said = await call(keys, 'GET', phoneNumberId, { fields: NUMBER_FIELDS })
      return {
        displayPhone: toText(said.display_phone_number),
        verifiedName: toText(said.verified_name),
        quality: toText(said.quality_rating),
        tier: toText(said.whatsapp_business_manager_messaging_limit),
        level: toText((said.throughput as Json | undefined)?.level),
      }
    },
    async business(keys, businessAccountId) {
      const said = await call(keys, 'GET', businessAccountId, { fields: 'id,name,owner_business_info' })
      return { name: toText(said.name), portfolioId: toText((said.owner_business_info as Json | undefined)?.id) }
    },
    async listNumberIds(keys, businessAccountId) {
      const said = await call(keys, 'GET', `${businessAccountId}/phone_numbers`, { fields: 'id', limit: '100' })
      return Array.isArray(said.data) ? said.data.map((one: Json) => toText(one.id)) : []
    },
    async subscribe(keys, businessAccountId, { url, verifyToken }) {
      const body = { override_callback_uri: url, verify_token: verifyToken }
      await call(keys, 'POST', `${businessAccountId}/subscribed_apps`, {}, body)
    },
  }) satisfies Partial<WhatsAppApi>

/** What is done with templates and their samples. */
const templateCalls = (call: Call) =>
  ({
    async templates(keys, businessAccountId) {
      const found: RawTemplate[] = []
      let after = ''
      for (let page = 0; page < TEMPLATE_PAGES; page++) {
        const query = { fields: TEMPLATE_FIELDS, limit: '100', ...(after && { after }) }
        const said = await call(keys, 'GET', `${businessAccountId}/message_templates`, query)
        if (Array.isArray(said.data)) found.push(...said.data.map(parseTemplate))
        const paging = said.paging as { next?: unknown; cursors?: { after?: unknown } } | undefined
        after = paging?.next ? toText(paging.cursors?.after) : ''
        if (!after) break
      }
      return found
    },
    async createTemplate(keys, businessAccountId, template) {
      const said = await call(keys, 'POST', `${businessAccountId}/message_templates`, {}, template)
      return { id: toText(said.id), status: toText(said.status) || 'PENDING', category: toText(said.category) }
    },
    async uploadSample(keys, { bytes, mimeType, name }) {
      const token = await call(keys, 'GET', 'debug_token', { input_token: keys.accessToken })
      const appId = toText((token.data as Json | undefined)?.app_id)
      if (!appId) throw new WhatsAppProblem('refused', 'Meta did not say which app the token belongs to.')
      const asked = { file_name: name, file_length: String(bytes.length), file_type: mimeType }
      const session = toText((await call(keys, 'POST', `${appId}/uploads`, asked)).id)
      const [, id, sig = ''] = /^(upload:[^\s?#/]+)(?:\?([^\s#]*))?$/.exec(session) ?? []
      if (!id) throw new WhatsAppProblem('lost', 'Meta did not open an upload for the file.', { status: 200 })
      const handle = toText(
        (await call(keys, 'POST', id, Object.fromEntries(new URLSearchParams(sig)), new Chunk(bytes))).h,
      )
      if (!handle)
        throw new WhatsAppProblem('lost', 'Meta accepted the file without returning its id.', { status: 200 })
      return handle
    },
    async removeTemplate(keys, businessAccountId, name, id) {
      await call(keys, 'DELETE', `${businessAccountId}/message_templates`, { name, ...(id && { hsm_id: id }) })
    },
  }) satisfies Partial<WhatsAppApi>

/** What is done with messages and their files. */
const messageCalls = (call: Call) =>
  ({
    async send(keys, phoneNumberId, message) {
      const said = await call(
        keys,
        'POST',
        `${phoneNumberId}/messages`,
        {},
        { messaging_product: 'whatsapp', ...message },
      )
      const [first] = (said.messages as Json[] | undefined) ?? []
      const [contact] = (said.contacts as Json[] | undefined) ?? []
      const wamid = toText(first?.id)
      if (!wamid)
        throw new WhatsAppProblem('lost', 'WhatsApp responded without the id of the message.', { status: 200 })
      return { wamid, person: toText(contact?.wa_id), status: toText(first?.message_status) || 'accepted' }
    },
    async markRead(keys, phoneNumberId, wamid) {
      await call(
        keys,
        'POST',
        `${phoneNumberId}/messages`,
        {},
        { messaging_product: 'whatsapp', status: 'read', message_id: wamid },
      )
    },
    async upload(keys, phoneNumberId, { bytes, mimeType, name }) {
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('type', mimeType)
      form.set('file', new File([new Uint8Array(bytes)], name, { type: mimeType }))
      return toText((await call(keys, 'POST', `${phoneNumberId}/media`, {}, form)).id)
    },
  }) satisfies Partial<WhatsAppApi>

/** `baseUrl` is set by the operator (WHATSAPP_API_URL), so no egress rules apply. */
export function whatsAppApi(baseUrl: string, responseTimeoutMs = RESPONSE_TIMEOUT_MS): WhatsAppApi {
  const agent = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: 8_000 },
    headersTimeout: responseTimeoutMs,
    bodyTimeout: responseTimeoutMs,
  })
  const call = callWith(agent, baseUrl)
  return {
    baseUrl,
    ...numberCalls(call),
    ...templateCalls(call),
    ...messageCalls(call),
    async download(keys, mediaId, limit) {
      const said = await call(keys, 'GET', mediaId)
      return fetchMedia(agent, baseUrl, keys, toText(said.url), toText(said.mime_type), limit)
    },
    close: () => agent.close(),
  }
}

function parseTemplate(raw: Json): RawTemplate {
  const reason = toText(raw.rejected_reason)
  return {
    id: toText(raw.id),
    name: toText(raw.name),
    language: toText(raw.language),
    category: toText(raw.category),
    status: toText(raw.status),
    reason: reason === 'NONE' ? '' : reason,
    quality: toText((raw.quality_score as Json | null | undefined)?.score),
    parameterFormat: raw.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components: Array.isArray(raw.components) ? raw.components : [],
  }
}
