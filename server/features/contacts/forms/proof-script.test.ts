import { createHash } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib/v1'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SOLVER } from './proof-script.ts'

type Solve = (challenge: object, done: (solution: string) => void) => void
const { sha256, solve } = new Function(`${SOLVER};return {sha256:sha256,solve:solve}`)() as {
  sha256: (text: string) => number[]
  solve: Solve
}
const toHex = (numbers: number[]) => numbers.map((one) => (one >>> 0).toString(16).padStart(8, '0')).join('')

test('proof script: its SHA-256 is that of the standard for any ASCII text', () => {
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 300 })
  fc.assert(
    fc.property(ascii, (text) => {
      expect(toHex(sha256(text))).toBe(createHash('sha256').update(text).digest('hex'))
    }),
  )
})

test('proof script: it solves challenges of the library, which takes the solution', async () => {
  const challenge = await createChallenge({ hmacKey: 'k', maxNumber: 3_000, expires: new Date(Date.now() + 60_000) })
  const solution = await new Promise<string>((done) => solve(challenge, done))
  expect(await verifySolution(solution, 'k')).toBe(true)
  expect(await verifySolution(solution, 'another')).toBe(false)
  const unsolvable = { ...challenge, challenge: '0'.repeat(64), maxnumber: 500 }
  expect(await new Promise<string>((done) => solve(unsolvable, done))).toBe('')
})
