import type { Services } from '#server/services.ts'
import { sweepImages } from './sweep-store.ts'

/** Deletes once a day the images nothing shows. */
export async function handleJobs({ db, queue, intervals }: Services): Promise<void> {
  await queue.every({
    name: 'images.sweep',
    per: 'database',
    intervalMs: intervals.unusedImagesMs,
    run: () => sweepImages(db),
  })
}
