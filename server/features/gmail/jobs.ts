import type { Services } from '#server/services.ts'
import { handleRevocations } from './accounts/connect.ts'

/** Gives permissions back at Google. */
export const handleJobs = (services: Services): Promise<void> => handleRevocations(services)
