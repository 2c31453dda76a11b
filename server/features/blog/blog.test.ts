import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import type { ApiError } from '#contracts/client.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { postForm } from './testing.ts'

let t: TestApp
let admin: Person
let user: Person

beforeAll(async () => {
  t = await testApp()
  admin = await t.person({ role: 'admin' })
  user = await t.person()
})
afterAll(() => t[Symbol.asyncDispose]())

/** The items of a feed, each with the text of its elements. Throws where the XML is not well-formed. */
function parseFeedItems(xml: string): Record<string, string>[] {
  const items: Record<string, string>[] = []
  let name = ''
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    name = tag.name
    if (name === 'item') items.push({})
  })
  parser.on('text', (text) => {
    const item = items.at(-1)
    if (item && text.trim()) item[name] = text
  })
  parser.write(xml).close()
  return items
}

const write = async (fields: Parameters<typeof postForm>[0]) =>
  (await admin.api(blog.create, { form: postForm(fields) })).post
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: ApiError) => error,
  )

test('blog: a post is published at once, and missing fields get defaults', async () => {
  const post = await write({ title: 'Hello, Wörld: it’s 5 o’clock', content: '<h2>Now</h2><p>The text.</p>' })
  expect(post).toMatchObject({
    slug: 'hello-world-its-5-oclock',
    category: 'General',
    tags: [],
    authorName: 'Anonymous',
    state: 'published',
    summary: 'Now. The text.',
    readingTime: 1,
  })
  expect((await t.api(blog.get, { params: { id: post.id } })).content).toBe('<h2>Now</h2><p>The text.</p>')
  expect((await t.api(blog.get, { params: { id: post.slug } })).id).toBe(post.id)
})

test('blog: tags are read from one or several fields, trimmed, without empty and duplicate ones', async () => {
  expect((await write({ tags: ' news, , Mail ,news' })).tags).toEqual(['news', 'Mail'])
  expect((await write({ tags: ['one', 'two'] })).tags).toEqual(['one', 'two'])
})

test('blog: a post without title or content is refused with the specified text', async () => {
  for (const fields of [{ title: ' ' }, { content: '' }]) {
    const error = await refusal(admin.api(blog.create, { form: postForm(fields) }))
    expect([error?.status, error?.message]).toEqual([400, 'Title and content are required fields'])
  }
})

test.each([
  [{ category: 'Nonsense' as never }, 'category'],
  [{ slug: 'login' }, 'slug'],
  [{ slug: '12' }, 'slug'],
  [{ slug: 'no spaces please' }, 'slug'],
  [{ publishedAt: 'tomorrow' }, 'publishedAt'],
  [{ nonsense: 'x' } as never, 'nonsense'],
])('blog: a post with %o is refused with the name of the field', async (fields, field) => {
  const error = await refusal(admin.api(blog.create, { form: postForm(fields) }))
  expect([error?.status, error?.details[0]?.field]).toEqual([400, field])
})

test('blog: only admins create, change and delete posts', async () => {
  const { id } = await write({ title: 'Mine' })
  const params = { id }
  for (const [api, status] of [
    [t.api, 401],
    [user.api, 403],
  ] as const) {
    const errors = await Promise.all([
      refusal(api(blog.create, { form: postForm({}) })),
      refusal(api(blog.update, { params, form: postForm({}) })),
      refusal(api(blog.remove, { params })),
      refusal(api(blog.uploadImage, { form: new FormData() })),
    ])
    expect(errors.map((error) => error?.status)).toEqual([status, status, status, status])
  }
  expect((await t.api(blog.get, { params })).title).toBe('Mine')
})

test('blog: posts with equal titles get different slugs, and no slug hides a page', async () => {
  const [one, two, page] = [
    await write({ title: 'Twins' }),
    await write({ title: 'Twins' }),
    await write({ title: 'Log in'.replace(' ', '') }),
  ]
  expect([one.slug, two.slug, page.slug]).toEqual(['twins', 'twins-2', 'login-2'])
})

test('blog: vowel signs of other scripts are kept in a slug', async () => {
  const hindi = await write({ title: 'नमस्ते दुनिया!' })
  expect(hindi.slug).toBe('नमस्ते-दुनिया')
  expect((await write({ title: 'Thai', slug: 'สวัสดี-ครับ' })).slug).toBe('สวัสดี-ครับ')
  expect((await t.api(blog.get, { params: { id: hindi.slug } })).id).toBe(hindi.id)
})

test('blog: four posts with one title created at once all succeed', async () => {
  const posts = await Promise.all(Array.from({ length: 4 }, () => write({ title: 'All at once' })))
  expect(new Set(posts.map((post) => post.slug)).size).toBe(4)
})

test('blog: an earlier slug of a post still leads to it', async () => {
  const post = await write({ title: 'Old name', slug: 'old-name' })
  const params = { id: post.id }
  await admin.api(blog.update, { params, form: postForm({ title: 'New name', slug: 'new-name' }) })
  expect((await t.api(blog.get, { params: { id: 'old-name' } })).slug).toBe('new-name')
  const error = await refusal(admin.api(blog.create, { form: postForm({ slug: 'old-name' }) }))
  expect(error?.details).toEqual([{ field: 'slug', message: 'belongs to another post' }])
})

test('blog: the slug of a draft follows its title unless an author chose it', async () => {
  const save = async (id: string, fields: Parameters<typeof postForm>[0]) =>
    (await admin.api(blog.update, { params: { id }, form: postForm(fields) })).post
  const { post } = await admin.api(blog.create, { form: postForm({ title: 'Le', state: 'draft' }) })
  expect((await save(post.id, { title: 'Emails to lighthouses' })).slug).toBe('emails-to-lighthouses')
  await expect(admin.api(blog.get, { params: { id: 'le' } })).rejects.toMatchObject({ status: 404 })
  expect((await save(post.id, { title: 'Emails to lighthouses', slug: 'chosen' })).slug).toBe('chosen')
  expect((await save(post.id, { title: 'Another title' })).slug).toBe('chosen')
  const out = await save(post.id, { title: 'Another title', state: 'published' })
  expect((await save(post.id, { title: 'Once more' })).slug).toBe(out.slug)
})

test('blog: the second of two concurrent saves is refused, and the first is not overwritten', async () => {
  const post = await write({ title: 'Shared' })
  const params = { id: post.id }
  const { version } = post
  await admin.api(blog.update, { params, form: postForm({ title: 'First save', version }) })
  const error = await refusal(admin.api(blog.update, { params, form: postForm({ title: 'Second save', version }) }))
  expect([error?.status, error?.code]).toEqual([409, 'changed_meanwhile'])
  expect((await t.api(blog.get, { params })).title).toBe('First save')
})

test('blog: only admins see drafts and scheduled posts, and a scheduled post is published on time', async () => {
  const draft = await write({ title: 'Not yet', state: 'draft' })
  const soon = await write({ title: 'Soon', publishedAt: new Date(Date.now() + 86_400_000).toISOString() })
  expect([draft.state, soon.state]).toEqual(['draft', 'scheduled'])
  for (const { id } of [draft, soon]) {
    expect((await refusal(t.api(blog.get, { params: { id } })))?.status).toBe(404)
    expect((await refusal(user.api(blog.get, { params: { id } })))?.status).toBe(404)
    expect((await admin.api(blog.get, { params: { id } })).id).toBe(id)
  }
  const titles = async (api = t.api, query = {}) =>
    (await api(blog.list, { query: { limit: 100, ...query } })).posts.map((post) => post.title)
  expect(await titles()).not.toContain('Soon')
  expect(await titles(user.api, { drafts: 'true' })).not.toContain('Soon')
  expect(await titles(admin.api)).not.toContain('Soon')
  expect(await titles(admin.api, { drafts: 'true' })).toEqual(expect.arrayContaining(['Soon', 'Not yet']))

  const past = new Date(Date.now() - 1_000).toISOString()
  await admin.api(blog.update, { params: { id: soon.id }, form: postForm({ title: 'Soon', publishedAt: past }) })
  expect(await titles()).toContain('Soon')
})

test('blog: posts are found by text, category and tag, and paged each once', async () => {
  const marked = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      write({ title: `Paged ${n}`, content: '<p>zebra crossing</p>', category: 'Travel', tags: 'Stripes' }),
    ),
  )
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await t.api(blog.list, {
      query: { q: 'zebra CROSSING', category: 'travel', tag: 'stripes', limit: 2, ...(cursor && { cursor }) },
    })
    expect(page.total).toBe(5)
    seen.push(...page.posts.map((post) => post.id))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect([...seen].sort()).toEqual(marked.map((post) => post.id).sort())
  expect((await t.api(blog.list, { query: { title: 'paged 3' } })).posts.map((post) => post.title)).toEqual(['Paged 3'])
  expect((await t.api(blog.list, { query: { q: '%' } })).posts).toEqual([])
  expect((await refusal(t.api(blog.list, { query: { cursor: 'nonsense' } })))?.details[0]?.field).toBe('cursor')
  // Posts of one import came at the same moment, which JavaScript knows to the millisecond only.
  await t.services.pool.query("update posts set published_at = '2024-05-01T08:00:00.123456Z' where category = 'Travel'")
  const query = { category: 'travel', limit: 1 }
  const { posts: first, nextCursor } = await t.api(blog.list, { query })
  const { posts: second } = await t.api(blog.list, { query: { ...query, cursor: nextCursor ?? '' } })
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(2)
})

test('blog: related posts are those with the most in common, without the post itself', async () => {
  const [post, near] = [
    await write({ title: 'Related 1', tags: 'ships, sea', category: 'Food' }),
    await write({ title: 'Related 2', tags: 'sea, ships, salt', category: 'Other' }),
  ]
  const { items } = await t.api(blog.related, { params: { id: post.id } })
  expect(items[0]?.id).toBe(near.id)
  expect(items.map((item) => item.id)).not.toContain(post.id)
})

test('blog: a deleted post and its slug respond with 404', async () => {
  const post = await write({ title: 'Short life' })
  await admin.api(blog.remove, { params: { id: post.id } })
  expect((await refusal(t.api(blog.get, { params: { id: post.slug } })))?.status).toBe(404)
  expect((await refusal(admin.api(blog.remove, { params: { id: post.id } })))?.status).toBe(404)
})

test('blog: the feed is well-formed, with full texts and absolute URLs', async () => {
  await write({ title: 'Feed <&> me', content: '<p>A <a href="/pricing">link</a> &amp; more</p>' })
  const feed = await t.inject('/feed.xml')
  expect(feed.headers['content-type']).toContain('application/rss+xml')
  const items = parseFeedItems(feed.body)
  expect(items[0]).toMatchObject({ title: 'Feed <&> me' })
  expect(items[0]?.['content:encoded']).toContain('href="http://localhost:3000/pricing"')
})
