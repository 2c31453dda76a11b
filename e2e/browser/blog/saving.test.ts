import { expect, test } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import { postForm } from '#server/features/blog/testing.ts'
import { untilPasses } from '#server/testing/until.ts'
import { button, editor, startBlog } from '../../support/blog.ts'

const { t, admin, write, read, asAdmin } = await startBlog()

test('blog editor: an update shows its progress and success, and opens the list two seconds later', async () => {
  const post = await write({ title: 'To be updated', tags: 'a,b', metaDescription: 'Before' })
  const page = await asAdmin()
  await page.clock.install()
  await page.goto(`/admin/blog/edit/${post.id}`)
  expect(await page.getByLabel('Tags').inputValue()).toBe('a, b')
  await editor(page).getByText('Some words').waitFor()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/blog/update-blog-post/*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByLabel('Title', { exact: true }).fill('Updated')
  await page.getByLabel('Meta description').fill('')
  await button(page, 'Update post').click()
  const updating = button(page, 'Updating...')
  await updating.waitFor()
  expect(await updating.isDisabled()).toBe(true)
  await page.clock.pauseAt(Date.now() + 60_000)
  held.resolve()
  await page.getByText('Blog post updated successfully!', { exact: true }).waitFor()
  await page.clock.runFor(1_999)
  expect(page.url()).toContain('/admin/blog/edit/')
  await page.clock.runFor(1)
  await page.clock.resume()
  await page.waitForURL('**/admin/blog')
  expect(await read(post.id)).toMatchObject({
    title: 'Updated',
    metaDescription: '',
    tags: ['a', 'b'],
    slug: post.slug,
  })
})

test('blog editor: text written during an update or right after it keeps the page, and a copy, until it is saved', async () => {
  const post = await write({ title: 'Under way' })
  const page = await asAdmin()
  await page.clock.install()
  await page.goto(`/admin/blog/edit/${post.id}`)
  await editor(page).getByText('Some words').waitFor()
  const held = Promise.withResolvers<void>()
  const update = '**/api/blog/update-blog-post/*'
  await page.route(update, async (route) => {
    await held.promise
    await route.continue()
  })
  const title = page.getByLabel('Title', { exact: true })
  const success = page.getByText('Blog post updated successfully!', { exact: true })
  const unsaved = page.getByText('Not saved yet. A copy is stored in this browser.')
  await title.fill('First')
  await button(page, 'Update post').click()
  await button(page, 'Updating...').waitFor()
  await title.fill('Second')
  await page.clock.pauseAt(Date.now() + 60_000)
  held.resolve()
  await success.waitFor()
  await unsaved.waitFor()
  await page.clock.runFor(2_000)
  expect(page.url()).toContain('/admin/blog/edit/')
  expect((await read(post.id)).title).toBe('First')

  await button(page, 'Update post').click()
  await unsaved.waitFor({ state: 'hidden' })
  await success.waitFor()
  await title.fill('Third')
  await unsaved.waitFor()
  await page.clock.runFor(2_000)
  expect(page.url()).toContain('/admin/blog/edit/')
  expect((await read(post.id)).title).toBe('Second')

  await page.clock.resume()
  await page.getByRole('link', { name: 'Exit to blog' }).click()
  await button(page, 'Leave').click()
  await page.waitForURL('**/admin/blog')
  await page.goto(`/admin/blog/edit/${post.id}`)
  await button(page, 'Restore').click()
  expect(await title.inputValue()).toBe('Third')
  await button(page, 'Update post').click()
  await page.waitForURL('**/admin/blog')
  expect((await read(post.id)).title).toBe('Third')
})

test('blog editor: a post saved unchanged sends the HTML the editor shows, and its tags as one text', async () => {
  const post = await write({ title: 'Untouched' })
  const page = await asAdmin()
  const content = '<p>Kept<img src="javascript:alert(1)"><a href="javascript:alert(2)">link</a></p>'
  await page.route('**/api/blog/blog-posts/*', (route) =>
    route.fulfill({ json: { ...post, content, tags: 'news, mail,, tips' } }),
  )
  await page.goto(`/admin/blog/edit/${post.id}`)
  await editor(page).getByText('Kept').waitFor()
  expect(await page.getByLabel('Tags').inputValue()).toBe('news, mail, tips')
  const shown = await editor(page).innerHTML()
  const sent = page.waitForRequest('**/api/blog/update-blog-post/*')
  await button(page, 'Update post').click()
  const form = (await sent).postData() ?? ''
  expect(form).not.toContain('javascript:')
  expect(form).toContain(shown)
  expect(form).toContain('news,mail,tips')
})

test('blog editor: each failure to load or update a post shows its own message', async () => {
  const post = await write({ title: 'Failing' })
  const page = await asAdmin()
  const load = '**/api/blog/blog-posts/*'
  const update = '**/api/blog/update-blog-post/*'
  await page.route(load, (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.goto(`/admin/blog/edit/${post.id}`)
  await page.getByText('Failed to load blog post', { exact: true }).waitFor()
  await page.unroute(load)
  await button(page, 'Try again').click()
  await page.getByLabel('Title', { exact: true }).fill('')
  await button(page, 'Update post').click()
  await page.getByText('Title and content are required fields', { exact: true }).waitFor()
  await page.getByLabel('Title', { exact: true }).fill('Failing still')
  await page.route(update, (route) => route.fulfill({ status: 500, body: '' }))
  await button(page, 'Update post').click()
  await page.getByText('Failed to update blog post', { exact: true }).waitFor()
  await page.unroute(update)
  await page.route(update, (route) =>
    route.fulfill({ status: 400, json: { error: 'The moon is full', message: 'The moon is full', code: 'moon' } }),
  )
  await button(page, 'Update post').click()
  await page.getByText('The moon is full', { exact: true }).waitFor()
  await page.unroute(update)
  await page.route(update, (route) =>
    route.fulfill({ status: 401, json: { error: 'x', message: 'x', code: 'unauthorized' } }),
  )
  await button(page, 'Update post').click()
  await page.getByText('Authentication failed. Please log in again.', { exact: true }).waitFor()
  await page.waitForURL('**/login')

  const late = await asAdmin()
  await late.goto(`/admin/blog/edit/${post.id}`)
  await late.getByLabel('Title', { exact: true }).fill('Nobody now')
  await late.evaluate(() => localStorage.removeItem('token'))
  await button(late, 'Update post').click()
  await late.getByText('Authentication required. Please log in again.', { exact: true }).waitFor()
  await late.waitForURL('**/login')

  const refused = await asAdmin()
  await refused.route(load, (route) =>
    route.fulfill({ status: 401, json: { error: 'x', message: 'x', code: 'unauthorized' } }),
  )
  await refused.goto(`/admin/blog/edit/${post.id}`)
  await refused.getByText('Authentication required to edit posts', { exact: true }).waitFor()
  await refused.waitForURL('**/login')
  expect((await read(post.id)).title).toBe('Failing')
})

test('blog editor: a draft is saved automatically and can be scheduled in another time zone', async () => {
  const page = await asAdmin()
  await page.goto('/admin/blog/create')
  await page.getByLabel('Title', { exact: true }).fill('Kept by itself')
  await editor(page).click()
  await page.keyboard.type('First words')
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  expect(await read('kept-by-itself')).toMatchObject({ state: 'draft', content: '<p>First words</p>' })
  await page.keyboard.type(' and more')
  await untilPasses(async () => expect((await read('kept-by-itself')).content).toBe('<p>First words and more</p>'))
  await button(page, 'Status: Draft').click()
  await page.getByRole('menuitem', { name: 'Schedule' }).click()
  const year = new Date().getFullYear() + 1
  await page.getByLabel('Date', { exact: true }).fill(`${year}-07-01`)
  await page.getByLabel('Time', { exact: true }).fill('09:30')
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await page.getByText('Scheduled for').waitFor()
  await button(page, 'Done').click()
  await button(page, 'Schedule post').click()
  await page.getByRole('heading', { name: new RegExp(`^Scheduled for 1 Jul ${year}`) }).waitFor()
  expect(await read('kept-by-itself')).toMatchObject({ state: 'scheduled', publishedAt: `${year}-07-01T00:30:00.000Z` })
  await expect(t.api(blog.get, { params: { id: 'kept-by-itself' } })).rejects.toMatchObject({ status: 404 })
})

test('blog editor: unsaved changes cause a warning and can be restored from a copy in the browser', async () => {
  const post = await write({ title: 'Half finished', content: '<p>Before</p>' })
  const page = await asAdmin()
  await page.goto(`/admin/blog/edit/${post.id}`)
  await editor(page).getByText('Before').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and after')
  await page.getByText('Not saved yet. A copy is stored in this browser.').waitFor()
  await page.getByRole('link', { name: 'Exit to blog' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  await button(page, 'Stay').click()
  await page.getByRole('link', { name: 'Exit to blog' }).click()
  await button(page, 'Leave').click()
  await page.waitForURL('**/admin/blog')
  await page.goto(`/admin/blog/edit/${post.id}`)
  await page.getByText('Restore unsaved changes?').waitFor()
  await button(page, 'Restore').click()
  await editor(page).getByText('Before and after').waitFor()
  const warned = page.waitForEvent('dialog')
  void page.reload().catch(() => undefined)
  const dialog = await warned
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await button(page, 'Update post').click()
  await page.waitForURL('**/admin/blog')
  expect((await read(post.id)).content).toBe('<p>Before and after</p>')
})

test('blog editor: an edit of an outdated version gets a warning and can overwrite the newer one', async () => {
  const post = await write({ title: 'Two at once' })
  const page = await asAdmin()
  await page.goto(`/admin/blog/edit/${post.id}`)
  await page.getByLabel('Title', { exact: true }).fill('Mine')
  await admin.api(blog.update, { params: { id: post.id }, form: postForm({ title: 'Theirs' }) })
  await button(page, 'Update post').click()
  await page.getByText('Someone else saved this post while you were editing.').waitFor()
  expect((await read(post.id)).title).toBe('Theirs')
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Mine')
  await button(page, 'Overwrite with my version').click()
  await page.waitForURL('**/admin/blog')
  expect((await read(post.id)).title).toBe('Mine')
})
