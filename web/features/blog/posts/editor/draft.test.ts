import { expect, test } from 'vitest'
import type { Post } from '#contracts/blog/blog.ts'
import { emptyDraft, instantOfAppearance, isComplete, publishingForm, toPostDraft, toPostForm } from './draft.ts'

const DRAFT = { ...emptyDraft(), title: ' A title ', content: '<p>Words</p>' }
const POST = {
  title: 'A title',
  metaTitle: '',
  metaDescription: '',
  content: '<p>Words</p>',
  category: 'General',
  tags: ['a', 'b'],
  authorName: '',
  slug: 'a-title',
  coverImage: '/media/x.webp',
  state: 'draft',
  publishedAt: null,
  version: 4,
} as unknown as Post
const entries = (form: FormData) => Object.fromEntries(form)

test('post form: a post without a title or content is incomplete', () => {
  expect([DRAFT, { ...DRAFT, title: '  ' }, { ...DRAFT, content: '' }].map(isComplete)).toEqual([true, false, false])
})

test('post form: texts are trimmed, tags are joined by commas, and only a chosen slug is sent', () => {
  const form = entries(toPostForm({ ...DRAFT, tags: ' one ,, two, ' }, undefined))
  expect(form).toMatchObject({ title: 'A title', tags: 'one,two' })
  expect(Object.keys(form)).not.toContain('slug')
  expect(entries(toPostForm({ ...DRAFT, slug: 'mine' }, undefined)).slug).toBe('mine')
  expect(Object.keys(entries(toPostForm({ ...DRAFT, slug: 'a-title' }, POST)))).not.toContain('slug')
})

test('post form: an update sends its version, and the cover only where it changed', () => {
  const unchanged = entries(toPostForm({ ...DRAFT, cover: '/media/x.webp' }, POST))
  expect([unchanged.version, 'coverImage' in unchanged]).toEqual(['4', false])
  expect(entries(toPostForm({ ...DRAFT, cover: '' }, POST)).coverImage).toBe('')
})

test('post form: a scheduled post gets the instant of its time zone, and a draft gets none', () => {
  const later = { kind: 'later', date: '2031-07-01', time: '09:30', zone: 'Asia/Tokyo' } as const
  expect(instantOfAppearance(later)?.toISOString()).toBe('2031-07-01T00:30:00.000Z')
  expect(entries(publishingForm({ ...DRAFT, appears: later }, undefined))).toMatchObject({
    state: 'published',
    publishedAt: '2031-07-01T00:30:00.000Z',
  })
  expect(instantOfAppearance({ ...later, time: '' })).toBeUndefined()
  const draft = entries(publishingForm({ ...DRAFT, appears: { ...later, kind: 'draft' } }, undefined))
  expect([draft.state, 'publishedAt' in draft]).toEqual(['draft', false])
})

test('post form: a scheduled post that is published now gets the present time', () => {
  const scheduled = { ...POST, state: 'scheduled', publishedAt: '2031-07-01T00:30:00.000Z' } as Post
  expect(toPostDraft(scheduled).appears.kind).toBe('later')
  const form = entries(publishingForm({ ...DRAFT, appears: { ...DRAFT.appears, kind: 'now' } }, scheduled))
  expect(new Date(String(form.publishedAt)).getTime()).toBeLessThanOrEqual(Date.now())
})

test('post form: the tags of a stored post are shown as text', () => {
  expect(toPostDraft(POST)).toMatchObject({ tags: 'a, b', cover: '/media/x.webp', appears: { kind: 'draft' } })
})
