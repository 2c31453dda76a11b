import { expect, test } from 'vitest'
import { retryUndone } from './undone.ts'

const failing = (code: string, times: number) => {
  let runs = 0
  return async () => {
    if (runs++ < times) throw Object.assign(new Error('undone'), { code })
    return runs
  }
}

test('undone: a transaction that was undone for another runs again, a few times, and other failures are thrown', async () => {
  expect(await retryUndone(failing('40P01', 2))).toBe(3)
  await expect(retryUndone(failing('40001', 3))).rejects.toMatchObject({ code: '40001' })
  await expect(retryUndone(failing('23505', 1))).rejects.toMatchObject({ code: '23505' })
})
