import type { ProblemCode } from '../types.ts'

/** An error that says what kind of problem it is. LiquidJS wraps those thrown inside it and keeps them as `originalError`. */
export class LiquidFault extends Error {
  code: ProblemCode
  constructor(code: ProblemCode, message: string) {
    super(message)
    this.code = code
  }
}

/** What V8 says when the stack is full; other RangeErrors have other reasons. */
const STACK_IS_FULL = 'Maximum call stack size exceeded'

/** The kind of problem an error stands for, also when LiquidJS wrapped it; `other` where nothing tells. */
export function findProblemCode(error: unknown, other: ProblemCode = 'syntax'): ProblemCode {
  const cause = (error as { originalError?: unknown }).originalError ?? error
  if (cause instanceof LiquidFault) return cause.code
  return cause instanceof RangeError && cause.message === STACK_IS_FULL ? 'too_much_work' : other
}
