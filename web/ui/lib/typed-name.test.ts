import { expect, test } from 'vitest'
import { isTypedName } from './typed-name.ts'

test('typed name: case, spaces, punctuation and emoji do not count, words do', () => {
  const name = 'Hello  🦜 — Größe “XL”, مرحبا'
  expect(isTypedName('hello größe xl مرحبا', name)).toBe(true)
  expect(isTypedName(`${name} `, name)).toBe(true)
  expect(isTypedName('hello größe مرحبا', name)).toBe(false)
  expect(isTypedName('', name)).toBe(false)
  expect(isTypedName('somebody@example.com', 'ada@example.com')).toBe(false)
})

test('typed name: a name without words has to be the same', () => {
  expect(isTypedName('🦜', '🦜')).toBe(true)
  expect(isTypedName('', '🦜')).toBe(false)
  expect(isTypedName('!', '🦜')).toBe(false)
})
