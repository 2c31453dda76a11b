import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sandboxWhatsApp } from '#contracts/whatsapp-sandbox.ts'
import { mount } from '#server/platform/http/mount.ts'
import { invalid, notFound, Refusal } from '#server/platform/http/refusal.ts'
import type { WhatsAppPhone } from './phone.ts'

const FILE_BYTES = 16 * 1024 * 1024

/** The uploaded file, base64, with what WhatsApp would call it. Throws Refusal 400 and 413. */
async function fileOf(request: FastifyRequest) {
  const file = await request.file({ limits: { fileSize: FILE_BYTES } })
  if (!file) throw invalid('file', 'is required')
  const chunks: Buffer[] = []
  for await (const chunk of file.file as AsyncIterable<Buffer>) chunks.push(chunk)
  if (file.file.truncated) throw new Refusal(413, 'too_large', 'The file is larger than 16 MB. Nothing was sent.')
  const [type = ''] = file.mimetype.split('/')
  const kind = type === 'image' || type === 'video' || type === 'audio' ? type : ('document' as const)
  const data = Buffer.concat(chunks).toString('base64')
  return { kind, mimeType: file.mimetype, name: file.filename.slice(0, 240), data } as const
}

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
  mount(app, sandboxWhatsApp.sendFile, async ({ params, query, request }) => {
    const file = await fileOf(request)
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
