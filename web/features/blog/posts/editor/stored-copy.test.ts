import { afterAll, beforeEach, expect, test } from 'vitest'
import { emptyDraft } from './draft.ts'
import { forgetCopy, storeCopy, storedCopy } from './stored-copy.ts'

const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
let stored = new Map<string, string>()
let isFull = false
Object.defineProperty(globalThis, 'localStorage', {
  configurable: true,
  value: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => stored.delete(key),
  },
})
afterAll(() => {
  if (before) Object.defineProperty(globalThis, 'localStorage', before)
})
beforeEach(() => {
  stored = new Map()
  isFull = false
})

const draft = (title: string) => ({ ...emptyDraft(), title, content: '<p>Words</p>' })

test('stored copy: each post gets back its own text and version until its copy is deleted', () => {
  storeCopy('7', draft('Seven'), 3)
  storeCopy(undefined, draft('New'), undefined)
  expect(storedCopy('7')).toMatchObject({ draft: { title: 'Seven', content: '<p>Words</p>' }, version: 3 })
  expect(storedCopy(undefined)?.draft.title).toBe('New')
  forgetCopy('7')
  expect([storedCopy('7'), storedCopy(undefined)?.draft.title]).toEqual([undefined, 'New'])
})

test('stored copy: the URL of a cover is stored, a chosen file is not', () => {
  storeCopy('7', { ...draft('Seven'), cover: new File(['x'], 'cover.png') }, 1)
  expect(storedCopy('7')?.draft.cover).toBe('')
  storeCopy('7', { ...draft('Seven'), cover: '/media/x.webp' }, 1)
  expect(storedCopy('7')?.draft.cover).toBe('/media/x.webp')
})

test('stored copy: a full browser storage stores nothing and throws nothing', () => {
  isFull = true
  storeCopy('7', draft('Seven'), 1)
  expect(storedCopy('7')).toBeUndefined()
})

test.each(['not json', 'null', '{}', '{"draft":{"title":1,"content":""}}', '{"draft":{"title":"x"}}'])(
  'stored copy: %s in the browser storage is ignored',
  (text) => {
    stored.set('postlark.post.7', text)
    expect(storedCopy('7')).toBeUndefined()
  },
)
