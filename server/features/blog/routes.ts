import type { FastifyInstance } from 'fastify'
import { blog } from '#contracts/blog/blog.ts'
import { readVisitor } from '#server/features/contacts/index.ts'
import { storeImage } from '#server/features/images/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import type { Services } from '#server/services.ts'
import { importPosts } from './imports/import-run.ts'
import * as rules from './posts/posts.ts'
import { buildFeed } from './public/feed.ts'
import { subscribe } from './public/subscribers.ts'

const FEED_SECONDS = 300

export function mountBlog(app: FastifyInstance, services: Services): void {
  const { db, config } = services

  mount(app, blog.list, ({ caller, query }) => rules.listPosts(db, caller, query))
  mount(app, blog.get, ({ caller, params }) => rules.showPost(db, caller, params.id))
  mount(app, blog.related, async ({ caller, params }) => wholeList(await rules.relatedTo(db, caller, params.id)))
  mount(app, blog.create, async ({ form }) => {
    const post = await rules.createPost(db, await form())
    return { message: 'Blog post created successfully!', post }
  })
  mount(app, blog.update, async ({ params, form }) => {
    const post = await rules.changePost(db, params.id, await form())
    return { message: 'Blog post updated successfully!', post }
  })
  mount(app, blog.remove, async ({ params }) => {
    await rules.removePost(db, params.id)
    return { message: 'Blog post deleted.' }
  })
  mount(app, blog.uploadImage, async ({ form }) => (await storeImage(db, (await form()).image.bytes, 'image'))[0])
  mount(app, blog.import, async ({ form }) => importPosts(db, (await form()).file))
  mount(app, blog.subscribe, async ({ body, request }) => {
    await subscribe(services, body.email, readVisitor(request))
    return { message: 'Check your inbox: we sent you a link to confirm your subscription.' }
  })
  app.get('/feed.xml', async (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${FEED_SECONDS}`)
      .type('application/rss+xml; charset=utf-8')
      .send(await buildFeed(db, config.publicUrl)),
  )
}
