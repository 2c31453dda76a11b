import { beforeAll, expect, test } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import type { ApiError } from '#contracts/client.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
let admin: Person

beforeAll(async () => {
  t = await sharedApp()
  admin = await t.person({ role: 'admin' })
})

function take(text: string, name: string) {
  const form = new FormData()
  form.append('file', new Blob([text]), name)
  return admin.api(blog.import, { form })
}

const ghost = {
  db: [
    {
      meta: { version: '5.80.0' },
      data: {
        posts: [
          {
            id: 'p1',
            title: 'Coming soon',
            slug: 'coming-soon',
            html: '<p>From <a href="__GHOST_URL__/about">Ghost</a><script>alert(1)</script></p>',
            feature_image: 'https://example.com/cover.jpg',
            status: 'published',
            type: 'post',
            published_at: '2024-05-01T08:00:00.000Z',
            custom_excerpt: 'What comes',
          },
          { id: 'p2', title: 'A draft', slug: 'a-draft', html: '<p>x</p>', status: 'draft', type: 'post' },
          { id: 'p3', title: 'Only new format', slug: 'lexical', html: null, status: 'published', type: 'post' },
          { id: 'p4', title: 'About us', slug: 'about-us', html: '<p>page</p>', status: 'published', type: 'page' },
        ],
        tags: [
          { id: 't1', name: 'Technology' },
          { id: 't2', name: '#internal' },
        ],
        posts_tags: [
          { post_id: 'p1', tag_id: 't1' },
          { post_id: 'p1', tag_id: 't2' },
        ],
        users: [{ id: 'u1', name: 'Ada Example' }],
        posts_authors: [{ post_id: 'p1', author_id: 'u1' }],
      },
    },
  ],
}

test('blog import: a Ghost export is imported with dates, tags and authors, and skipped posts are named', async () => {
  const result = await take(JSON.stringify(ghost), 'blog.ghost.json')
  expect(result.imported).toBe(2)
  expect(result.skipped.map(({ title }) => title)).toEqual(['Only new format'])
  expect(await t.api(blog.get, { params: { id: 'coming-soon' } })).toMatchObject({
    title: 'Coming soon',
    content: '<p>From <a href="/about">Ghost</a></p>',
    category: 'Technology',
    tags: ['Technology'],
    authorName: 'Ada Example',
    coverImage: 'https://example.com/cover.jpg',
    metaDescription: 'What comes',
    publishedAt: '2024-05-01T08:00:00.000Z',
  })
  expect((await admin.api(blog.get, { params: { id: 'a-draft' } })).state).toBe('draft')

  const again = await take(JSON.stringify(ghost), 'blog.ghost.json')
  expect(again).toMatchObject({ imported: 0 })
  expect(again.skipped).toHaveLength(3)
})

test('blog import: a Markdown file becomes a post with its front matter', async () => {
  const text = `---
title: "Notes: on mail"
date: 2023-02-03
tags: [mail, Food]
author: Bob
description: Short notes
---

## Part one

Some *text* with a [link](https://example.com).
`
  expect(await take(text, 'notes.md')).toEqual({ imported: 1, skipped: [] })
  const post = await t.api(blog.get, { params: { id: 'notes-on-mail' } })
  expect(post).toMatchObject({
    title: 'Notes: on mail',
    category: 'Food',
    tags: ['mail', 'Food'],
    authorName: 'Bob',
    publishedAt: '2023-02-03T00:00:00.000Z',
  })
  expect(post.content).toContain('<h2>Part one</h2>')
  expect(post.content).toContain('<em>text</em>')
})

test('blog import: a Markdown file without front matter gets its first heading as title', async () => {
  await take('# Plain file\n\nWords.', 'plain.md')
  expect((await t.api(blog.get, { params: { id: 'plain-file' } })).content.trim()).toBe('<p>Words.</p>')
})

test.each([
  ['not json', 'x.json'],
  ['{"db":[]}', 'x.json'],
  ['[1,2]', 'x.json'],
  ['---\ntitle: [unclosed\n---\nx', 'x.md'],
  ['hello', 'x.txt'],
])('blog import: %s as %s is refused with the field file', async (text, name) => {
  const error = await take(text, name).catch((error: ApiError) => error)
  expect(error).toMatchObject({ status: 400, details: [{ field: 'file' }] })
})
