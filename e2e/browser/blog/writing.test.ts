import { expect, test } from 'vitest'
import { noise } from '#server/features/blog/testing.ts'
import { untilPasses } from '#server/testing/until.ts'
import { button, editor, startBlog } from '../../support/blog.ts'
import { openPage, screenFaults } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'

const { t, admin, write, read, asAdmin } = await startBlog()
const user = await t.person()

test('blog editor: visitors are sent to the login and back, and users without the role to the home page', async () => {
  const post = await write({ title: 'Guarded' })
  const paths = ['/admin/blog', '/admin/blog/create', `/admin/blog/edit/${post.id}`, '/create-blog', '/post-form']
  const stranger = await openPage(browser, t.address)
  const member = await openPage(browser, t.address, { token: user.token })
  for (const path of paths) {
    await stranger.goto(path)
    await stranger.waitForURL('**/login')
    await member.goto(path)
    await member.waitForURL(`${t.address}/`)
  }
  await stranger.goto(`/admin/blog/edit/${post.id}`)
  await stranger.waitForURL('**/login')
  await stranger.getByLabel('Email').fill(admin.email)
  await stranger.getByLabel('Password', { exact: true }).fill(admin.password)
  await stranger.getByRole('button', { name: 'Log in' }).click()
  await stranger.waitForURL(`**/admin/blog/edit/${post.id}`)
  await stranger.getByLabel('Title', { exact: true }).waitFor()
})

test('blog editor: the list is searched by title, says when it is empty, and confirms a deletion', async () => {
  const doomed = await write({ title: 'A doomed post', category: 'Food' })
  await write({ title: 'A draft of mine', state: 'draft' })
  const page = await asAdmin()
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Blog', exact: true }).click()
  await page.waitForURL('**/admin/blog')
  const table = page.getByRole('table', { name: 'Blog posts' })
  await table.waitFor()
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Title', 'Category', 'Actions'])
  await table
    .getByRole('row', { name: /A draft of mine/ })
    .getByText('Draft', { exact: true })
    .waitFor()
  await page.getByRole('searchbox', { name: 'Search by title' }).fill('DOOMED')
  await page.waitForURL('**/admin/blog?q=DOOMED')
  await table.getByRole('row', { name: /A draft of mine/ }).waitFor({ state: 'detached' })
  const row = table.getByRole('row', { name: /A doomed post/ })
  await row.getByRole('cell', { name: 'Food' }).waitFor()

  const asked: string[] = []
  page.on('dialog', (dialog) => asked.push(dialog.message()))
  page.once('dialog', (dialog) => dialog.dismiss())
  await row.getByRole('button', { name: /Delete/ }).click()
  expect((await read(doomed.id)).title).toBe('A doomed post')

  await page.route('**/api/blog/delete-blog-post/*', (route) => route.fulfill({ status: 500, body: 'no' }))
  const accept = (dialog: { accept(): Promise<void> }) => dialog.accept()
  page.on('dialog', accept)
  const failed = page.waitForEvent('dialog', (dialog) => dialog.type() === 'alert')
  await row.getByRole('button', { name: /Delete/ }).click()
  await failed
  await page.unroute('**/api/blog/delete-blog-post/*')
  await row.getByRole('button', { name: /Delete/ }).click()
  await page.getByText('No blog posts found.', { exact: true }).waitFor()
  const question = 'Are you sure you want to delete this post?'
  expect(asked).toEqual([question, question, 'Failed to delete the post.', question])
  await expect(read(doomed.id)).rejects.toMatchObject({ status: 404 })

  await page.route('**/api/blog/blog-posts?*', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.goto('/admin/blog')
  await page.getByText('Failed to load blog posts.').waitFor()
  expect(await table.count()).toBe(0)
  await page.unroute('**/api/blog/blog-posts?*')
  await button(page, 'Try again').click()
  await table.waitFor()
  await page.getByRole('link', { name: 'New Post' }).click()
  await page.waitForURL('**/admin/blog/create')
})

test('blog editor: a new post is a draft of its author, and has the fields and formats of the specification', async () => {
  const page = await asAdmin()
  await page.goto('/admin/blog/create')
  await button(page, 'Save draft').click()
  await page.getByRole('alert').getByText('Title and content are required fields', { exact: true }).waitFor()
  await button(page, 'Settings').click()
  expect(await page.getByLabel('Author name').inputValue()).toBe('Robin Example')
  await page.getByText(/120-160 characters/).waitFor()
  await page.getByText(/5MB.*JPEG, PNG, WebP/).waitFor()
  expect(await page.getByLabel('Category').locator('option').allInnerTexts()).toEqual([
    'General',
    'Technology',
    'Lifestyle',
    'Travel',
    'Food',
    'Other',
  ])
  await button(page, 'Done').click()
  const tools = page.getByRole('toolbar', { name: 'Formatting' })
  expect(await tools.getByRole('button').evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
    'Bold',
    'Italic',
    'Underline',
    'Strike',
    'Ordered list',
    'Bullet list',
    'Link',
    'Image',
    'Clean',
  ])
  expect(await tools.getByLabel('Header').locator('option').count()).toBe(7)
  expect((await editor(page).boundingBox())?.height).toBeGreaterThanOrEqual(350)
})

test('blog editor: an admin formats a post with the toolbar and the insert menu, publishes it, and the post has that HTML', async () => {
  const page = await asAdmin()
  await page.goto('/admin/blog/create')
  await editor(page).click()
  await page.keyboard.type('/h')
  await page.getByRole('option', { name: 'Heading 2', selected: true }).waitFor()
  // Typed faster than the menu follows.
  await page.evaluate(() => {
    document.execCommand('insertText', false, 'ead')
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(enter)
  })
  await page.keyboard.type('Heading two')
  await page.keyboard.press('Enter')
  await button(page, 'Bold').click()
  await page.keyboard.type('bold  twice')
  await button(page, 'Bold').click()
  await page.keyboard.press('Enter')
  await button(page, 'Bullet list').click()
  await page.keyboard.type('one')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('inside')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('linked')
  for (let n = 0; n < 6; n++) await page.keyboard.press('Shift+ArrowLeft')
  await button(page, 'Link').click()
  const address = page.getByRole('dialog', { name: 'Link' }).getByLabel('URL')
  await address.fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await page.getByText('Links must start with http, https, mailto or tel.').waitFor()
  await address.fill('example.com/x')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByLabel('Title', { exact: true }).fill('Written by hand')
  await button(page, 'Settings').click()
  await page.getByText('Google preview').waitFor()
  await page.getByLabel('Author name').fill('')
  await page.getByLabel('Tags').fill(' one ,, two, ')
  await page.getByLabel('Category').selectOption('Travel')
  await page
    .getByLabel('Cover image')
    .setInputFiles({ name: 'c.png', mimeType: 'image/png', buffer: await noise(900, 500) })
  await page.getByAltText('Cover preview').waitFor()
  await button(page, 'Done').click()
  await button(page, 'Status: Draft').click()
  await page.getByRole('menuitem', { name: 'Publish' }).click()
  await button(page, 'Publish post').click()
  await page.getByRole('heading', { name: 'Post published' }).waitFor()
  await page.getByRole('link', { name: 'View post' }).click()
  await page.getByRole('heading', { name: 'Written by hand' }).waitFor()
  const post = await read('written-by-hand')
  expect(post).toMatchObject({ category: 'Travel', tags: ['one', 'two'], authorName: 'Anonymous', state: 'published' })
  expect(post.coverSizes).toMatchObject([{ width: 900, height: 500 }, { width: 800 }])
  expect(post.content).toContain('<h2>Heading two</h2><p><strong>bold  twice</strong></p>')
  expect(post.content).toContain('<ul><li>one<ul><li>inside</li></ul></li></ul>')
  expect(post.content).toMatch(/<a href="https:\/\/example.com\/x"[^>]*>linked<\/a>/)
  expect(page.complaints).toEqual([])
})

test('blog editor: an uploaded image replaces its placeholder, and a failed upload leaves nothing behind', async () => {
  const post = await write({ title: 'Illustrated' })
  const page = await asAdmin()
  await page.goto(`/admin/blog/edit/${post.id}`)
  await editor(page).getByText('Some words').click()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/blog/upload-image', async (route) => {
    await held.promise
    await route.continue()
  })
  const file = { name: 'p.png', mimeType: 'image/png', buffer: await noise(60, 40) }
  await page.getByLabel('Image file').setInputFiles(file)
  await editor(page).getByText('Uploading image...', { exact: true }).waitFor()
  held.resolve()
  const image = editor(page).locator('img')
  await image.waitFor()
  expect(await image.getAttribute('src')).toMatch(new RegExp(`^${t.address}/media/[0-9a-f]{40}-60x40.webp$`))
  expect(await editor(page).getByText('Uploading image...').count()).toBe(0)

  const bytes = [...(await noise(30, 20))]
  for (const kind of ['paste', 'drop'] as const)
    await editor(page).evaluate(
      (root, { kind, bytes }) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], 'p.png', { type: 'image/png' }))
        const { left, top } = root.getBoundingClientRect()
        const at = { clientX: left + 40, clientY: top + 40, bubbles: true, cancelable: true }
        root.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, ...at })
            : new DragEvent('drop', { dataTransfer: data, ...at }),
        )
      },
      { kind, bytes },
    )
  await untilPasses(async () => expect(await image.count()).toBe(3))

  const svg = { name: 'p.png', mimeType: 'image/png', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }
  await page.getByLabel('Image file').setInputFiles(svg)
  await page.getByRole('alert').getByText('Image upload failed. Please try again.', { exact: true }).waitFor()
  expect(await editor(page).getByText('Uploading image...').count()).toBe(0)
  await button(page, 'Update post').click()
  await page.waitForURL('**/admin/blog')
  const { content } = await read(post.id)
  expect(content.match(/<img src="\/media\/[^"]+" alt="" width="\d+" height="\d+"/g)).toHaveLength(3)
  expect(content).not.toContain('Uploading')
})

test('blog editor: /blog/create opens for everybody, and only an admin can save there', async () => {
  const stranger = await openPage(browser, t.address)
  await stranger.goto('/blog/create')
  await stranger.getByLabel('Title', { exact: true }).fill('By a stranger')
  await editor(stranger).click()
  await stranger.keyboard.type('Words of a stranger')
  await button(stranger, 'Save draft').click()
  await stranger.getByText('Authentication required. Please log in again.', { exact: true }).waitFor()
  await stranger.waitForURL('**/login')
  await stranger.goto('/blog/create')
  await button(stranger, 'Restore').click()
  await editor(stranger).getByText('Words of a stranger').waitFor()

  const member = await openPage(browser, t.address, { token: user.token })
  await member.goto('/blog/create')
  await member.getByLabel('Title', { exact: true }).fill('By a member')
  await editor(member).click()
  await member.keyboard.type('Words of a member')
  await button(member, 'Save draft').click()
  await member.getByRole('alert').waitFor()
  expect(new URL(member.url()).pathname).toBe('/blog/create')
  await expect(read('by-a-member')).rejects.toMatchObject({ status: 404 })
})

test('blog editor: several files are imported one after another, and each shows its result', async () => {
  const page = await asAdmin()
  await page.goto('/admin/blog')
  await button(page, 'Import posts').click()
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await page
    .getByLabel('Files')
    .setInputFiles([file('good.md', '---\ntitle: From Markdown\n---\nHello *there*'), file('bad.json', 'not json')])
  await page.getByRole('dialog').getByRole('button', { name: 'Import posts' }).click()
  const result = page.getByRole('list', { name: 'Result' })
  await result.getByText('1 post imported.').waitFor()
  await untilPasses(async () => expect(await result.getByText(/good.md|bad.json/).count()).toBe(2))
  await button(page, 'Close').last().click()
  await page.getByRole('row', { name: /^From Markdown/ }).waitFor()
})

test('blog editor: pages have no console errors, accessibility faults or sideways scrolling in any theme', async () => {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const post = await write({ title: long, content: `<h2>${long}</h2><ul><li>x</li></ul><pre>code</pre>` })
  const page = await asAdmin()
  for (const path of ['/admin/blog', `/admin/blog/edit/${post.id}`, '/admin/blog/create', '/blog/create']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect({ path, faults: await screenFaults(page) }).toEqual({ path, faults: [] })
  }
})
