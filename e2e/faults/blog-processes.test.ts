import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import { postForm } from '#server/features/blog/testing.ts'
import { testDatabase } from '#server/testing/database.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

test('blog: a post changed in one web process is changed in the other', { timeout: 120_000 }, async () => {
  const postgres = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-blog-'))
  const start = async () => {
    const server = startServer({
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      SMTP_URL: 'smtp://127.0.0.1:1',
      SECRET_KEY: 'a secret key of more than thirty-two characters',
      ROLE: 'web',
      PORT: String(await freePort()),
    })
    await server.ready
    return server
  }
  const servers = [await start(), await start()] as const
  const [first, second] = servers
  try {
    const api = await signIn(first.url)
    const { post } = await api(blog.create, { form: postForm({ title: 'Shared', content: '<p>Text 0</p>' }) })
    for (let n = 1; n <= 10; n++) {
      for (const { url } of servers)
        expect(await (await fetch(`${url}/blog/shared`)).text()).toContain(`<p>Text ${n - 1}</p>`)
      const form = postForm({ title: 'Shared', content: `<p>Text ${n}</p>` })
      await api(blog.update, { params: { id: post.id }, form })
      expect(await (await fetch(`${second.url}/blog/shared`)).text()).toContain(`<p>Text ${n}</p>`)
    }
    await api(blog.remove, { params: { id: post.id } })
    for (const { url } of servers) expect((await fetch(`${url}/blog/shared`)).status).toBe(404)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await postgres.drop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
})
