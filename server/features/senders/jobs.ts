import type { Services } from '#server/services.ts'
import { handleConfirmations } from './from-address.ts'
import { handleRevocations } from './gmail/connect.ts'

/** Sends the emails that confirm from addresses, and gives permissions back at Google. */
export async function handleJobs(services: Services): Promise<void> {
  await handleConfirmations(services)
  await handleRevocations(services)
}
