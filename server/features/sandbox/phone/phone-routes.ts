import type { FastifyInstance } from 'fastify'
import type { FormFile } from '#contracts/form-file.ts'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { type Caller, mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import { findScope } from '../scope.ts'
import type { NewSandboxNumber, WhatsAppPhone } from './phone.ts'

/** An uploaded file, base64, with what WhatsApp would call it. */
function presentFile({ name, type, bytes }: FormFile) {
  const [group = ''] = type.split('/')
  const kind = group === 'image' || group === 'video' || group === 'audio' ? group : ('document' as const)
  return { kind, mimeType: type, name, data: bytes.toString('base64') } as const
}

const MAX_NUMBERS = 5

/** A number of the caller's workspace. Throws Refusal 404 or 409. */
async function addNumber(phone: WhatsAppPhone, caller: Caller, given: NewSandboxNumber) {
  const own = (await phone.numbers({ workspaceId: caller.workspaceId })).items
  if (caller.role !== 'admin') {
    if (own.length >= MAX_NUMBERS) throw conflict('too_many', `A workspace has ${MAX_NUMBERS} sandbox numbers at most.`)
    if (given.portfolioOf && !own.some(({ phoneNumberId }) => phoneNumberId === given.portfolioOf))
      throw invalid('portfolioOf', 'is not a sandbox number of this workspace')
  }
  return phone.addNumber(caller.workspaceId, given)
}

/** Mounts the phone-like side of the sandbox. Without an emulator for WhatsApp it is not mounted and returns 404. */
export function mountPhone(app: FastifyInstance, phone: WhatsAppPhone): void {
  mount(app, sandboxWhatsApp.numbers, async ({ caller, query }) => ({
    ...(await phone.numbers(findScope(caller, query.of))),
    nextCursor: null,
  }))
  mount(app, sandboxWhatsApp.addNumber, ({ caller, body }) => addNumber(phone, caller, body))
  mount(app, sandboxWhatsApp.chats, async ({ caller, query }) => {
    const skip = query.cursor ?? 0
    const { items, total } = await phone.chats(findScope(caller, query.of), query.limit, skip)
    return { items, total, nextCursor: skip + items.length < total ? String(skip + items.length) : null }
  })
  mount(app, sandboxWhatsApp.messages, async ({ caller, params }) => {
    const items = await phone.messages(findScope(caller), params.number, params.person)
    if (!items) throw notFound('Chat')
    return wholeList(items)
  })
  mount(app, sandboxWhatsApp.say, async ({ caller, params, body }) => {
    if (!(await phone.say(findScope(caller), params.number, params.person, body.deed))) throw notFound('Chat')
    return {}
  })
  mount(app, sandboxWhatsApp.sendFile, async ({ caller, params, query, form }) => {
    const file = presentFile((await form()).file)
    if (!(await phone.sendFile(findScope(caller), { ...params, ...query, ...file }))) throw notFound('Chat')
    return {}
  })
  mount(app, sandboxWhatsApp.media, async ({ caller, params, reply }) => {
    const file = await phone.media(findScope(caller), params.id)
    if (!file) throw notFound('File')
    return reply
      .type(file.mimeType)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "sandbox; default-src 'none'")
      .send(Buffer.from(file.data, 'base64'))
  })
  mount(app, sandboxWhatsApp.templates, async ({ caller, query }) => ({
    ...(await phone.templates(findScope(caller, query.of))),
    nextCursor: null,
  }))
  mount(app, sandboxWhatsApp.reviewByHand, async ({ caller, body }) => {
    await phone.reviewByHand(findScope(caller), body.byHand)
    return {}
  })
  mount(app, sandboxWhatsApp.quality, async ({ caller, params, body }) => {
    if ((await phone.quality(findScope(caller), { name: params.name, ...body })) === 0) throw notFound('Template')
    return {}
  })
  mount(app, sandboxWhatsApp.review, async ({ caller, params, body }) => {
    if ((await phone.review(findScope(caller), { ...body, name: params.name })) === 0) throw notFound('Template')
    return {}
  })
}
