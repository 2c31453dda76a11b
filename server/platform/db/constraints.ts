const sqlState = (error: unknown): string | undefined => (error as { code?: string } | null)?.code

/** Whether a unique index refused it: there is such a row already. */
export const isTaken = (error: unknown): boolean => sqlState(error) === '23505'

/** Whether a foreign key refused it: something refers to the row, or the row it refers to is gone. */
export const isReferred = (error: unknown): boolean => sqlState(error) === '23503'

/** Whether a statement was canceled because it took longer than it may. */
export const isCanceled = (error: unknown): boolean => sqlState(error) === '57014'
