import type { Services } from '#server/services.ts'
import { handleDomainChecks } from './domains/jobs.ts'
import { handleLoopback } from './domains/loopback/sending.ts'
import { handleConfirmations } from './from-address.ts'
import { handleLookups } from './receivers/jobs.ts'

/** Sends the emails that confirm From addresses, checks sending domains, also with real emails, and looks up receivers. */
export async function handleJobs(services: Services): Promise<void> {
  await handleConfirmations(services)
  await handleDomainChecks(services)
  await handleLookups(services)
  await handleLoopback(services)
}
