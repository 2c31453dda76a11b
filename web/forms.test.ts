import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkedBy, sentence } from './forms.ts'

test('form errors: a message of the contract is completed to a sentence, and a sentence stays', () => {
  expect(sentence('Port', 'must be a number')).toBe('Port must be a number.')
  expect(sentence('Password', 'is too common. Choose another one.')).toBe('Password is too common. Choose another one.')
  expect(sentence('Name', 'Passwords do not match.')).toBe('Passwords do not match.')
  expect(sentence('Name', undefined)).toBeUndefined()
})

test('form errors: an empty field gets "is required", and a filled one its own message', async () => {
  const check = checkedBy(z.object({ email: z.string().min(5, 'is no address') }))
  const checkEmail = async (email: string) => {
    const { errors } = await check({ email }, undefined, { fields: {}, shouldUseNativeValidation: false })
    return errors.email?.message
  }
  expect(await checkEmail('')).toBe('is required')
  expect(await checkEmail('abc')).toBe('is no address')
})
