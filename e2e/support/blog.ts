import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import { postForm } from '#server/features/blog/testing.ts'
import { testApp } from '#server/testing/app.ts'
import { openPage } from './browser.ts'
import { browser } from './chromium.ts'

/** A product for the tests of one file, because posts belong to the installation, and an admin who writes. */
export async function startBlog() {
  const t = await testApp({ pages: 'built' })
  afterAll(() => t[Symbol.asyncDispose]())
  const admin = await t.person({ role: 'admin' })
  return {
    t,
    admin,
    write: async (fields: Parameters<typeof postForm>[0]) =>
      (await admin.api(blog.create, { form: postForm(fields) })).post,
    read: (id: string) => admin.api(blog.get, { params: { id } }),
    asAdmin: (options: Parameters<typeof openPage>[2] = {}) =>
      openPage(browser, t.address, { token: admin.token, ...options }),
  }
}

export const editor = (page: Page) => page.getByRole('textbox', { name: 'Content' })
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
