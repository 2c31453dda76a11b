import type { FastifyInstance } from 'fastify'
import { sandboxWhatsApp } from '#contracts/whatsapp-sandbox.ts'
import { mount } from '#server/platform/http/mount.ts'
import { invalid, notFound } from '#server/platform/http/refusal.ts'
import type { WhatsAppPhone } from './phone.ts'

/** Mounts the phone-like side of the sandbox. Without a stand-in for WhatsApp it is not mounted and answers 404. */
export function mountPhone(app: FastifyInstance, phone: WhatsAppPhone): void {
  mount(app, sandboxWhatsApp.numbers, async () => ({ ...(await phone.numbers()), nextCursor: null }))
  mount(app, sandboxWhatsApp.addNumber, ({ body }) => phone.addNumber(body))
  mount(app, sandboxWhatsApp.chats, async ({ query }) => {
    if (query.cursor !== undefined && !/^\d{1,6}$/.test(query.cursor))
      throw invalid('cursor', 'is not one of this list')
    const skip = Number(query.cursor ?? 0)
    const { items, total } = await phone.chats(query.limit, skip)
    return { items, total, nextCursor: skip + items.length < total ? String(skip + items.length) : null }
  })
  mount(app, sandboxWhatsApp.messages, async ({ params }) => {
    const items = await phone.messages(params.number, params.person)
    if (!items) throw notFound('Chat')
    return { items, nextCursor: null }
  })
  mount(app, sandboxWhatsApp.say, async ({ params, body }) => {
    if (!(await phone.say(params.number, params.person, body.deed))) throw notFound('Chat')
    return {}
  })
  mount(app, sandboxWhatsApp.review, async ({ params, body }) => {
    if ((await phone.review({ name: params.name, ...body })) === 0) throw notFound('Template')
    return {}
  })
}
