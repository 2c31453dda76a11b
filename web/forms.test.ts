import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkedBy, sentence } from './forms.ts'

test('predicates of the contract become sentences, whole sentences stay', () => {
  expect(sentence('Port', 'must be a number')).toBe('Port must be a number.')
  expect(sentence('Password', 'is too common. Choose another one.')).toBe('Password is too common. Choose another one.')
  expect(sentence('Name', 'Passwords do not match.')).toBe('Passwords do not match.')
  expect(sentence('Name', undefined)).toBeUndefined()
})

test("Zod's own words for lengths become ours", () => {
  const long = z.string().max(80).safeParse('x'.repeat(81)).error?.issues[0]?.message
  expect(sentence('Name', long)).toBe('Name may have at most 80 characters.')
})

test('an empty field that fails is missing, a filled one is wrong', async () => {
  const check = checkedBy(z.object({ email: z.string().min(5, 'is no address') }))
  const errorOf = async (email: string) => {
    const { errors } = await check({ email }, undefined, { fields: {}, shouldUseNativeValidation: false })
    return errors.email?.message
  }
  expect(await errorOf('')).toBe('is required')
  expect(await errorOf('abc')).toBe('is no address')
})
