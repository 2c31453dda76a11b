import { handleJobs as handleAccountJobs } from '#server/features/accounts/index.ts'
import type { Services } from './services.ts'

/** Every feature's background work. Also called where nothing is worked, so that the queues exist. */
export async function handleJobs(services: Services): Promise<void> {
  await handleAccountJobs(services)
}
