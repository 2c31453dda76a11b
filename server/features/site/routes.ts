import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ContactMessage, contact } from '#contracts/contact.ts'
import { publishedPosts } from '#server/features/blog/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { receiveMessage } from './contact.ts'
import { makeWord } from './form-word.ts'
import { robots, sitemap } from './robots.ts'

/** The site map names so many of the newest posts. */
const POSTS = 1_000

/** The fields of a form sent without scripts. Files are refused. */
async function fieldsOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts()) {
    if (part.type === 'file') throw new Refusal(400, 'invalid', `${part.fieldname} is not a known field`)
    fields[part.fieldname] = part.value
  }
  return fields
}

/** Answers a form without scripts: back to the page, which says what became of it. */
async function answerForm(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const result = ContactMessage.safeParse(await fieldsOf(request))
  let outcome = 'sent=1'
  if (!result.success) outcome = `problem=${String(result.error.issues[0]?.path[0] ?? 'form')}`
  else {
    try {
      await receiveMessage(services, result.data, request.ip)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcome = `problem=${error.status === 429 ? 'often' : error.status === 409 ? 'twice' : 'form'}`
    }
  }
  await reply.code(303).header('location', `/contact?${outcome}#write`).send()
}

export function mountSite(app: FastifyInstance, services: Services): void {
  const { config } = services
  mount(app, contact.form, ({ reply }) => {
    reply.header('cache-control', 'no-store')
    return { form: makeWord(config.secretKey) }
  })
  mount(app, contact.send, async ({ body, request, reply }) => {
    if (request.isMultipart()) return (await answerForm(services, request, reply)) as never
    await receiveMessage(services, body, request.ip)
    return { message: 'Thank you. Your message is on its way to us; we answer by e-mail.' }
  })
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robots(config.publicUrl)))
  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .send(sitemap(config.publicUrl, await publishedPosts(services.db, POSTS))),
  )
}
