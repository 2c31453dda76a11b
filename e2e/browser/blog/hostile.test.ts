import { afterAll, beforeAll, expect, test } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import { postForm } from '#server/features/blog/testing.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { watched } from '../../support/watched-page.ts'

let t: TestApp
let admin: Person

beforeAll(async () => {
  t = await testApp({ pages: 'built' })
  admin = await t.person({ role: 'admin' })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
})

/** Each of these sets a flag on the page, or asks somebody, if anything of it acts. */
const act = 'window.fired=(window.fired||0)+1;alert(1)'
const attacks = [
  `<script>${act}</script>`,
  `</script><script>${act}</script>`,
  `<img src=x onerror="${act}">`,
  `<svg onload="${act}"><animate onbegin="${act}" attributeName=x dur=1s></svg>`,
  `"><img src=x onerror=${act}>`,
  `'-${act}-'`,
  `<iframe srcdoc="<script>parent.${act}</script>"></iframe>`,
  `<details open ontoggle="${act}">x</details>`,
  `<style>@import 'javascript:${act}';</style>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${act}&gt;">`,
  `<a href="javascript:${act}">a link</a>`,
  `<a href="java\tscript:${act}">a link</a>`,
  `<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">a link</a>`,
  `<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">`,
  `<form action="javascript:${act}"><button>a link</button></form>`,
  `\u2028<\u0008script>${act}</script>`,
]

test('blog security: no script in any field of a post runs on the pages that show it', {
  timeout: 240_000,
}, async () => {
  const { page, fired } = await watched(t)
  for (const attack of attacks) {
    const line = attack.replace(/\p{Cc}|\p{Zl}/gu, '')
    const fields = {
      title: `A title ${line}`.slice(0, 200),
      content: `<p>Before</p>${attack}<p>After</p>`,
      metaTitle: line.slice(0, 200),
      metaDescription: `${line} ${line}`.slice(0, 500),
      authorName: line.slice(0, 80),
      tags: line.replaceAll(',', ' ').slice(0, 50),
    }
    const { post } = await admin.api(blog.create, { form: postForm(fields) })
    for (const path of [`/blog/${post.slug}`, '/blogs']) {
      await page.goto(path)
      // What came in a title or a name is shown as the letters it is.
      await page.getByText('A title').first().waitFor()
      if (path !== '/blogs') {
        await page.getByText('Before', { exact: true }).waitFor()
        for (const link of await page.getByText('a link', { exact: true }).all()) await link.click()
      }
      expect({ attack, path, fired: await fired() }).toEqual({ attack, path, fired: [] })
    }
  }
  const feed = await (await fetch(`${t.address}/feed.xml`)).text()
  expect(feed).not.toMatch(/<(script|svg|img|iframe|details|math|form)/i)
})

test('blog security: no script in a post runs in the editor, preview or list', { timeout: 240_000 }, async () => {
  const { page, fired } = await watched(t, admin.token)
  const { post } = await admin.api(blog.create, { form: postForm({ title: 'For the editor' }) })
  // As if an older rule had let everything in.
  const everything = attacks.join('\n')
  await t.services.db
    .updateTable('posts')
    .set({
      content: everything,
      title: attacks[2] ?? '',
      metaDescription: everything.slice(0, 400),
    })
    .where('id', '=', post.id)
    .execute()
  await page.goto(`/admin/blog/edit/${post.id}`)
  const editor = page.getByRole('textbox', { name: 'Content' })
  await editor.waitFor()
  await editor.click()
  for (const attack of attacks)
    await editor.evaluate((root, html) => {
      const data = new DataTransfer()
      data.setData('text/html', html)
      data.setData('text/plain', 'pasted')
      root.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, attack)
  const addresses = await editor.evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>('a, img')].map(
      (node) => node.getAttribute('href') ?? node.getAttribute('src'),
    ),
  )
  for (const address of addresses) expect(address ?? '').toMatch(/^(|https?:.*|mailto:.*|tel:.*|data:.*|about:blank)$/)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('dialog', { name: 'Preview' }).getByRole('article').waitFor()
  expect(await fired()).toEqual([])
  await page.goto('/admin/blog')
  await page.getByRole('table', { name: 'Blog posts' }).waitFor()
  expect(await fired()).toEqual([])
  await page.goto(`/blog/${post.slug}`)
  await page.getByRole('article').first().waitFor()
  expect(await fired()).toEqual([])
})

test('blog security: no script in a search or a tag runs on its page', async () => {
  const { page, fired } = await watched(t)
  for (const attack of attacks.slice(0, 6)) {
    await page.goto(`/search?q=${encodeURIComponent(attack)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`/tag/${encodeURIComponent(attack.slice(0, 40))}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await fired()).toEqual([])
  }
})
