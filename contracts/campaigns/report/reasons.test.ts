import { expect, test } from 'vitest'
import { failureReason } from '#server/adapters/whatsapp/connection.ts'
import { labelMessageReason } from './reasons.ts'

test('report: every reason that Meta’s codes lead to has words, unknown codes too', () => {
  for (const code of [131026, 131049, 131050, 130472, 130497, 131047, 131030, 131062, 131008, 132012, 999_999]) {
    const reason = failureReason(code)
    expect([code, labelMessageReason(reason)]).not.toEqual([code, reason])
  }
})
