import type { Services } from '#server/services.ts'
import { handleDomainChecks } from './domains/jobs.ts'
import { handleConfirmations } from './from-address.ts'

/** Sends the emails that confirm From addresses, and checks sending domains. */
export async function handleJobs(services: Services): Promise<void> {
  await handleConfirmations(services)
  await handleDomainChecks(services)
}
