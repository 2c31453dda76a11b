import { handleJobs as handleAccountJobs } from '#server/features/accounts/index.ts'
import { handleJobs as handleAdminJobs } from '#server/features/admin/index.ts'
import { handleJobs as handleBillingJobs } from '#server/features/billing/index.ts'
import { handleJobs as handleBounceJobs } from '#server/features/bounces/index.ts'
import { handleJobs as handleCampaignJobs, startSending } from '#server/features/campaigns/index.ts'
import { handleJobs as handleCrawlJobs, startCollecting } from '#server/features/collector/index.ts'
import { handleJobs as handleContactJobs } from '#server/features/contacts/index.ts'
import { handleJobs as handleGmailJobs } from '#server/features/gmail/index.ts'
import { handleJobs as handleImageJobs } from '#server/features/images/index.ts'
import { handleJobs as handleJourneyJobs } from '#server/features/journeys/index.ts'
import { handleJobs as handleSenderJobs } from '#server/features/senders/index.ts'
import { handleJobs as handleSiteJobs } from '#server/features/site/index.ts'
import { handleJobs as handleTrackingJobs } from '#server/features/tracking/index.ts'
import { handleJobs as handleWhatsAppJobs } from '#server/features/whatsapp/index.ts'
import type { Services } from './services.ts'

/** The features with background work; each registers its jobs and its periodic work with the queue. */
const features = [
  handleAccountJobs,
  handleAdminJobs,
  handleSiteJobs,
  handleSenderJobs,
  handleGmailJobs,
  handleBounceJobs,
  handleBillingJobs,
  handleContactJobs,
  handleCrawlJobs,
  handleWhatsAppJobs,
  handleImageJobs,
  handleTrackingJobs,
  handleCampaignJobs,
  handleJourneyJobs,
]

/**
 * Starts every feature's background work. In a process that does no work (role web) the queues are made all the same. Returns
 * how to stop what does not stop with the queue: the periodic work, and the sending and collecting threads.
 */
export async function startWork(services: Services): Promise<() => Promise<void>> {
  const { queue } = services
  for (const handleJobs of features) await handleJobs(services)
  const threads = queue.works ? [startSending(services), startCollecting(services)] : []
  return async () => {
    await Promise.all([queue.stopPeriodic(), ...threads.map((thread) => thread.stop())])
  }
}
