import { StripeRefusal } from './refusal.ts'

interface StoredResult {
  request: string
  answer: { status: number; answer: object } | undefined
}

/** Idempotency keys as Stripe has them: the first response is stored, another request under the key is refused, one in flight is a 409. */
export class Idempotency {
  readonly #stored = new Map<string, StoredResult>()

  async once(
    key: string | undefined,
    request: string,
    work: () => { status: number; answer: object; stored: boolean },
  ): Promise<{ status: number; answer: object; replayed: boolean }> {
    if (!key) return { ...work(), replayed: false }
    const known = this.#stored.get(key)
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
    const entry: StoredResult = { request, answer: undefined }
    this.#stored.set(key, entry)
    const done = work()
    if (done.stored) entry.answer = { status: done.status, answer: done.answer }
    else this.#stored.delete(key)
    return { ...done, replayed: false }
  }
}
