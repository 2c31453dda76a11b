import type { FastifyInstance } from 'fastify'
import { blog } from '#contracts/blog.ts'
import { keepPicture } from '#server/features/pictures/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { feedOf } from './feed.ts'
import { postFormOf, readForm } from './form.ts'
import { importPosts } from './import-run.ts'
import * as rules from './posts.ts'
import { subscribe } from './subscribers.ts'

const IMPORT_LIMIT = 50 * 1024 * 1024
const FEED_SECONDS = 300

export function mountBlog(app: FastifyInstance, services: Services): void {
  const { db, config } = services

  mount(app, blog.list, ({ caller, query }) => rules.listPosts(db, caller, query))
  mount(app, blog.get, ({ caller, params }) => rules.showPost(db, caller, params.id))
  mount(app, blog.related, async ({ caller, params }) => ({
    items: await rules.relatedTo(db, caller, params.id),
    nextCursor: null,
  }))
  mount(app, blog.create, async ({ request }) => {
    const form = await readForm(request, 'coverImage')
    const post = await rules.createPost(db, postFormOf(form), form.file?.bytes)
    return { message: 'Blog post created successfully!', post }
  })
  mount(app, blog.update, async ({ params, request }) => {
    const form = await readForm(request, 'coverImage')
    const post = await rules.changePost(db, params.id, postFormOf(form), form.file?.bytes)
    return { message: 'Blog post updated successfully!', post }
  })
  mount(app, blog.remove, async ({ params }) => {
    await rules.removePost(db, params.id)
    return { message: 'Blog post deleted.' }
  })
  mount(app, blog.uploadImage, async ({ request }) => {
    const { file } = await readForm(request, 'image')
    if (!file) throw invalid('image', 'is required: choose a picture')
    return (await keepPicture(db, file.bytes, 'image'))[0]
  })
  mount(app, blog.import, async ({ request }) => {
    const { file } = await readForm(request, 'file', IMPORT_LIMIT)
    if (!file) throw invalid('file', 'is required: choose a Ghost export or a Markdown file')
    return importPosts(db, file)
  })
  mount(app, blog.subscribe, async ({ body, request }) => {
    await subscribe(services, body.email, request.ip)
    return { message: 'Please confirm: we have sent an email with a link to that address.' }
  })
  app.get('/feed.xml', async (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${FEED_SECONDS}`)
      .type('application/rss+xml; charset=utf-8')
      .send(await feedOf(db, config.publicUrl)),
  )
}
