import type { FastifyInstance } from 'fastify'
import { ContactMessage, contact } from '#contracts/site/contact-form.ts'
import { publishedPosts } from '#server/features/blog/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { receiveMessage } from './contact.ts'
import { makeWord } from './form-word.ts'
import { robots, sitemap } from './robots.ts'

/** The site map names so many of the newest posts. */
const POSTS = 1_000

/** Where a form without scripts leads back to: the page, which says what became of it. */
async function formOutcome(send: () => Promise<void>): Promise<string> {
  try {
    await send()
    return 'sent=1'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status !== 400)
      return `problem=${error.status === 429 ? 'often' : error.status === 409 ? 'twice' : 'form'}`
    const field = error.details?.[0]?.field ?? ''
    return `problem=${Object.hasOwn(ContactMessage.shape, field) ? field : 'form'}`
  }
}

export function mountSite(app: FastifyInstance, services: Services): void {
  const { config } = services
  mount(app, contact.form, ({ reply }) => {
    reply.header('cache-control', 'no-store')
    return { form: makeWord(config.secretKey) }
  })
  mount(app, contact.send, async ({ body, form, request, reply }) => {
    if (form) {
      const outcome = await formOutcome(async () => receiveMessage(services, await form(), request.ip))
      return reply.code(303).header('location', `/contact?${outcome}#write`).send() as never
    }
    await receiveMessage(services, body, request.ip)
    return { message: 'Thank you. Your message is on its way to us. We reply by email.' }
  })
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robots(config.publicUrl)))
  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .send(sitemap(config.publicUrl, await publishedPosts(services.db, POSTS))),
  )
}
