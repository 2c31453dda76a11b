import type { Services } from '#server/services.ts'
import { handleConfirmations } from './from-address.ts'

/** Sends the emails that confirm From addresses. */
export async function handleJobs(services: Services): Promise<void> {
  await handleConfirmations(services)
}
