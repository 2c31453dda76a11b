import type { FastifyInstance } from 'fastify'
import type { FormFile } from '#contracts/form-file.ts'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import type { WhatsAppPhone } from './phone.ts'

/** An uploaded file, base64, with what WhatsApp would call it. */
function presentFile({ name, type, bytes }: FormFile) {
  const [group = ''] = type.split('/')
  const kind = group === 'image' || group === 'video' || group === 'audio' ? group : ('document' as const)
  return { kind, mimeType: type, name, data: bytes.toString('base64') } as const
}

/** Mounts the phone-like side of the sandbox. Without an emulator for WhatsApp it is not mounted and returns 404. */
export function mountPhone(app: FastifyInstance, phone: WhatsAppPhone): void {
  mount(app, sandboxWhatsApp.numbers, async () => ({ ...(await phone.numbers()), nextCursor: null }))
  mount(app, sandboxWhatsApp.addNumber, ({ body }) => phone.addNumber(body))
  mount(app, sandboxWhatsApp.chats, async ({ query }) => {
    const skip = query.cursor ?? 0
    const { items, total } = await phone.chats(query.limit, skip)
    return { items, total, nextCursor: skip + items.length < total ? String(skip + items.length) : null }
  })
  mount(app, sandboxWhatsApp.messages, async ({ params }) => {
    const items = await phone.messages(params.number, params.person)
    if (!items) throw notFound('Chat')
    return wholeList(items)
  })
  mount(app, sandboxWhatsApp.say, async ({ params, body }) => {
    if (!(await phone.say(params.number, params.person, body.deed))) throw notFound('Chat')
    return {}
  })
  mount(app, sandboxWhatsApp.sendFile, async ({ params, query, form }) => {
    const file = presentFile((await form()).file)
    if (!(await phone.sendFile({ ...params, ...query, ...file }))) throw notFound('Chat')
    return {}
  })
  mount(app, sandboxWhatsApp.media, async ({ params, reply }) => {
    const file = await phone.media(params.id)
    if (!file) throw notFound('File')
    return reply
      .type(file.mimeType)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "sandbox; default-src 'none'")
      .send(Buffer.from(file.data, 'base64'))
  })
  mount(app, sandboxWhatsApp.templates, async () => ({ ...(await phone.templates()), nextCursor: null }))
  mount(app, sandboxWhatsApp.reviewByHand, async ({ body }) => {
    await phone.reviewByHand(body.byHand)
    return {}
  })
  mount(app, sandboxWhatsApp.quality, async ({ params, body }) => {
    if ((await phone.quality({ name: params.name, ...body })) === 0) throw notFound('Template')
    return {}
  })
  mount(app, sandboxWhatsApp.review, async ({ params, body }) => {
    if ((await phone.review({ ...body, name: params.name })) === 0) throw notFound('Template')
    return {}
  })
}
