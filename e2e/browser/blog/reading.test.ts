import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { DomUtils, parseDocument } from 'htmlparser2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import { noise, postForm } from '#server/features/blog/testing.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { openPage, screenFaults } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'

let t: TestApp
let admin: Person

const write = async (fields: Parameters<typeof postForm>[0], cover?: Parameters<typeof postForm>[1]) =>
  (await admin.api(blog.create, { form: postForm(fields, cover) })).post

beforeAll(async () => {
  t = await testApp({ pages: 'built' })
  admin = await t.person({ role: 'admin' })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
})

/** A page as a search engine gets it. */
async function read(path: string) {
  const response = await fetch(t.address + path, { redirect: 'manual' })
  const html = await response.text()
  const document = parseDocument(html)
  const tags = (name: string) => DomUtils.getElementsByTagName(name, document)
  const meta = (name: string) =>
    tags('meta').find((tag) => tag.attribs.name === name || tag.attribs.property === name)?.attribs.content
  const link = (rel: string) => tags('link').find((tag) => tag.attribs.rel === rel)?.attribs.href
  const data = tags('script')
    .filter((tag) => tag.attribs.type === 'application/ld+json')
    .map((tag) => JSON.parse(DomUtils.textContent(tag)))
  const title = DomUtils.textContent(tags('title')[0] ?? [])
  const words = DomUtils.textContent(tags('main')[0] ?? []).replace(/\s+/g, ' ')
  return {
    status: response.status,
    location: response.headers.get('location'),
    html,
    words,
    title,
    meta,
    link,
    data,
    tags,
  }
}

test("blog: the server's HTML has the post's text, metadata and structured data, and one canonical URL", async () => {
  const cover = { name: 'cover.jpg', bytes: await noise(1700, 900, 'jpeg') }
  const post = await write(
    {
      title: 'Emails that arrive',
      metaTitle: 'Emails that arrive, explained',
      metaDescription: 'What a receiving server asks first.',
      content: '<h2>First</h2><p>The words of the post.</p>',
      category: 'Technology',
      tags: 'DKIM, SPF',
      authorName: 'Marta Oduya',
    },
    cover,
  )
  const canonical = `http://localhost:3000/blog/${post.slug}`
  for (const path of [`/blog/${post.slug}`, `/blog-posts/${post.id}`, `/blog-posts/${post.slug}`, `/${post.slug}`]) {
    const page = await read(path)
    expect(page).toMatchObject({ status: 200, title: 'Emails that arrive, explained · Postlark' })
    for (const words of [
      'Emails that arrive',
      'The words of the post.',
      'Marta Oduya',
      '1 min read',
      'DKIM',
      'Technology',
    ])
      expect(page.words).toContain(words)
    expect(page.link('canonical')).toBe(canonical)
    expect(page.link('alternate')).toBe('/feed.xml')
    expect(page.meta('description')).toBe('What a receiving server asks first.')
    expect(page.meta('og:type')).toBe('article')
    expect(page.meta('og:url')).toBe(canonical)
    expect(page.meta('og:image')).toBe(`http://localhost:3000${post.coverImage}`)
    expect(page.meta('article:section')).toBe('Technology')
    expect(page.data).toMatchObject([
      { '@type': 'BlogPosting', headline: 'Emails that arrive', url: canonical, author: { name: 'Marta Oduya' } },
      { '@type': 'BreadcrumbList', itemListElement: [{ name: 'Blog' }, { name: 'Technology' }, { item: canonical }] },
    ])
    const image = page.tags('main').flatMap((main) => DomUtils.getElementsByTagName('img', main))[0]
    expect(image?.attribs).toMatchObject({ width: '1600', height: '847', srcset: expect.stringContaining(' 800w') })
  }
})

test('blog: an earlier slug redirects permanently, and an unknown one shows Page Not Found with 404', async () => {
  const post = await write({ title: 'Moved about', slug: 'first-place' })
  await admin.api(blog.update, {
    params: { id: post.id },
    form: postForm({ title: 'Moved about', slug: 'second-place' }),
  })
  for (const path of ['/blog/first-place', '/first-place', '/blog-posts/first-place'])
    expect(await read(path)).toMatchObject({ status: 301, location: '/blog/second-place' })
  expect(await read('/blog/SECOND-place')).toMatchObject({ status: 301, location: '/blog/second-place' })
  const draft = await write({ title: 'Draft', state: 'draft' })
  for (const path of [
    '/blog/nobody-wrote-this',
    '/nobody-wrote-this',
    '/blog-posts/999999',
    `/blog/${draft.slug}`,
    '/a/b',
  ]) {
    const page = await read(path)
    expect({ path, status: page.status }).toEqual({ path, status: 404 })
    expect(page.words).toContain('Page Not Found')
    expect(page.meta('robots')).toBe('noindex')
  }
})

test('blog: lists, pages of a list and search work without JavaScript', async () => {
  for (let n = 1; n <= 15; n++)
    await write({
      title: `Walk number ${n}`,
      category: 'Travel',
      tags: 'walking',
      content: `<p>Boots and path ${n}</p>`,
    })
  const page = await openPage(browser, t.address, { javaScriptEnabled: false })
  await page.goto('/category/travel')
  const titles = () => page.getByRole('main').getByRole('article').getByRole('heading').allInnerTexts()
  const first = await titles()
  expect(first[0]).toBe('Walk number 15')
  await page.getByRole('link', { name: 'Older posts' }).click()
  await untilPasses(async () =>
    expect([...first, ...(await titles())]).toEqual(Array.from({ length: 15 }, (_, i) => `Walk number ${15 - i}`)),
  )
  await page.getByRole('link', { name: 'Newest posts' }).click()
  await untilPasses(async () => expect(await titles()).toEqual(first))

  await page.getByRole('searchbox', { name: 'Search posts' }).fill('boots path 7')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**/search?q=boots+path+7')
  await untilPasses(async () => expect(await titles()).toEqual(['Walk number 7']))
  await page.getByText('1 post found.').waitFor()
  await page.getByRole('article').getByRole('link', { name: 'Walk number 7' }).click()
  await page.getByRole('heading', { level: 1, name: 'Walk number 7' }).waitFor()
  await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'walking' }).click()
  await page.waitForURL('**/tag/walking')
  await page.getByRole('heading', { name: 'Posts tagged walking' }).waitFor()
})

test('blog: a list without posts says so and links to all posts', async () => {
  const page = await openPage(browser, t.address)
  await page.goto('/category/food')
  await page.getByText('There are no posts under Food.').waitFor()
  await page.goto('/search?q=xyzzyplugh')
  await page.getByText('No posts found for “xyzzyplugh”').waitFor()
  expect((await read('/search?q=xyzzyplugh')).meta('robots')).toBe('noindex, follow')
  await page.getByRole('main').getByRole('link', { name: 'all posts', exact: true }).click()
  await page.waitForURL('**/blogs')
  expect((await read('/blogs?cursor=garbage')).status).toBe(200)
})

test('blog: a cached page is compressed, has an ETag and no nonces, and changes with any post', async () => {
  const post = await write({ title: 'Kept once', content: '<p>First words</p>' })
  const other = await write({ title: 'Beside it', content: '<p>x</p>', tags: 'kept' })
  const get = (headers: Record<string, string> = {}) =>
    t.inject({ url: `/blog/${post.slug}`, headers: { 'accept-encoding': 'identity', ...headers } })
  const first = await get()
  const policy = String(first.headers['content-security-policy'])
  expect(policy).toMatch(/script-src 'self'( 'sha256-[^']+')+;/)
  expect(first.body).not.toMatch(/nonce="[^"]/)
  expect((await get({ 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304)
  expect((await get({ 'accept-encoding': 'gzip, br' })).headers['content-encoding']).toBe('br')
  expect((await get()).body).toBe(first.body)

  const save = (id: string, fields: Parameters<typeof postForm>[0]) =>
    admin.api(blog.update, { params: { id }, form: postForm(fields) })
  await save(post.id, { title: 'Kept once', content: '<p>Second words</p>' })
  expect((await get()).body).toContain('Second words')
  await save(other.id, { title: 'Beside it, renamed', tags: 'kept' })
  await save(post.id, { title: 'Kept once', content: '<p>Third words</p>', tags: 'kept' })
  expect((await get()).body).toContain('Beside it, renamed')
  await admin.api(blog.remove, { params: { id: other.id } })
  expect((await get()).body).not.toContain('Beside it, renamed')

  // A schedule comes true without anybody writing anything.
  const { id } = await write({
    title: 'In its own time',
    publishedAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const list = async () => (await t.inject('/blogs')).body
  expect(await list()).not.toContain('In its own time')
  // The hour has nearly passed.
  const at = new Date(Date.now() + 500)
  await t.services.db.updateTable('posts').set({ publishedAt: at }).where('id', '=', id).execute()
  await untilPasses(async () => expect(await list()).toContain('In its own time'))
  expect(Date.now()).toBeGreaterThanOrEqual(at.getTime())
  await admin.api(blog.remove, { params: { id: post.id } })
  expect((await get()).statusCode).toBe(404)
})

test('blog: a visitor subscribes by keyboard, sees mistakes, and gets a confirmation email', async () => {
  await write({ title: 'Subscribe here', slug: 'subscribe-here' })
  const page = await openPage(browser, t.address)
  await page.goto('/blog/subscribe-here')
  const address = page.getByRole('textbox', { name: 'Your email address' })
  await address.focus()
  await page.keyboard.type('not an address')
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .getByText(/^The email address /)
    .waitFor()
  await address.fill('reader@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('reader@example.com').waitFor()
  const email = await t.sink.mailTo('reader@example.com')
  expect(email.text).toContain('/c/')
  await page.route('**/api/blog/subscribe', (route) => route.abort())
  await page.goto('/blogs')
  await address.fill('other@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The server could not be reached.').waitFor()
  expect(await address.inputValue()).toBe('other@example.com')
})

test('blog: pages have no console errors, accessibility faults or sideways scrolling in any theme', async () => {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const cells = Array.from({ length: 12 }, (_, n) => `<td>cell${n}</td>`).join('')
  const post = await write({
    title: long,
    authorName: long.slice(0, 80),
    tags: long.slice(0, 50),
    content: `<p>${long}${long}</p><pre>${long} ${long}</pre><table><tbody><tr>${cells}</tr></tbody></table><ol><li>x</li></ol>`,
  })
  const page = await openPage(browser, t.address)
  for (const path of ['/blogs', `/blog/${post.slug}`, '/search?q=nothing+like+it']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect({ path, faults: await screenFaults(page) }).toEqual({ path, faults: [] })
  }
})

test('pages: a request line with a whole URL gets the page of its path', async () => {
  const request = get(t.address, { path: 'http://elsewhere.example/login?next=1' })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(200)
})
