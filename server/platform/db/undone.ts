/** PostgreSQL undid one of two transactions that waited for each other. */
const UNDONE = ['40P01', '40001']

/** Whether a transaction was undone so that another could go on: nothing of it happened. */
export const isUndone = (error: unknown): boolean => UNDONE.includes((error as { code?: string } | null)?.code ?? '')

/** Runs a transaction, and again where it was undone, at most `tries` times in all. */
export async function retryUndone<T>(run: () => Promise<T>, tries = 3): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= tries || !isUndone(error)) throw error
    }
  }
}
