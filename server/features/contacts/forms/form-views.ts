import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/services.ts'
import { addViews } from './forms-store.ts'

const FLUSH_MS = 3_000

/** Counts views of forms in memory, and adds them to the table now and then: a view costs no statement. */
export function countViews(app: FastifyInstance, { db, log }: Pick<Services, 'db' | 'log'>): (formId: string) => void {
  let views = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const seen = views
    views = new Map()
    if (seen.size > 0) await addViews(db, seen).catch((error) => log.error({ err: error }, 'views of forms were lost'))
  }
  app.addHook('onClose', flush)
  return (formId) => {
    views.set(formId, (views.get(formId) ?? 0) + 1)
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
  }
}
