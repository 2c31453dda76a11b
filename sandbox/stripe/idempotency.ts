import { StripeRefusal } from './refusal.ts'

interface Kept {
  request: string
  answer: { status: number; answer: object } | undefined
}

/** Idempotency keys as Stripe has them: the first answer is kept, another request under the key is refused, one in flight is a 409. */
export class Idempotency {
  readonly #kept = new Map<string, Kept>()

  async once(
    key: string | undefined,
    request: string,
    work: () => { status: number; answer: object; kept: boolean },
  ): Promise<{ status: number; answer: object; replayed: boolean }> {
    if (!key) return { ...work(), replayed: false }
    const known = this.#kept.get(key)
    if (known) {
      if (known.request !== request)
        throw new StripeRefusal(400, 'Keys for idempotent requests can only be used with the same parameters.', {
          type: 'idempotency_error',
        })
      if (!known.answer)
        throw new StripeRefusal(409, 'There is currently another in-progress request using this idempotency key.', {
          type: 'idempotency_error',
        })
      return { ...known.answer, replayed: true }
    }
    const entry: Kept = { request, answer: undefined }
    this.#kept.set(key, entry)
    const done = work()
    if (done.kept) entry.answer = { status: done.status, answer: done.answer }
    else this.#kept.delete(key)
    return { ...done, replayed: false }
  }
}
