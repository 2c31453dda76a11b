import { handleJobs as handleAccountJobs } from '#server/features/accounts/index.ts'
import { handleJobs as handleAdminJobs } from '#server/features/admin/index.ts'
import { handleJobs as handleBillingJobs } from '#server/features/billing/index.ts'
import { handleJobs as handleCampaignJobs, startSending } from '#server/features/campaigns/index.ts'
import { handleJobs as handleCollectorJobs, startCollecting } from '#server/features/collector/index.ts'
import { handleJobs as handleContactJobs } from '#server/features/contacts/index.ts'
import { startSweeping } from '#server/features/pictures/index.ts'
import { handleJobs as handleSenderJobs } from '#server/features/senders/index.ts'
import { handleJobs as handleSiteJobs } from '#server/features/site/index.ts'
import { handleJobs as handleWhatsAppJobs } from '#server/features/whatsapp/index.ts'
import type { Services } from './services.ts'

/**
 * Every feature's background work. Where nothing is worked (role web) the queues are still made. Answers how to stop
 * what does not stop with the queue: the clock of scheduled campaigns, the look-outs for imports and webhooks left
 * behind, those that forget what has expired and pictures nothing shows, and the sending and collecting threads.
 */
export async function startWork(services: Services, works: boolean): Promise<() => Promise<void>> {
  const stopForgetting = await handleAccountJobs(services, works)
  await handleAdminJobs(services)
  await handleSiteJobs(services)
  await handleSenderJobs(services)
  await handleBillingJobs(services)
  const stopLooking = await handleContactJobs(services, works)
  const stopSweeping = await handleCollectorJobs(services, works)
  const stopHooks = await handleWhatsAppJobs(services, works)
  const stopPictures = works ? startSweeping(services) : () => undefined
  const stopClock = await handleCampaignJobs(services, works)
  const threads = works ? [startSending(services), startCollecting(services)] : []
  return async () => {
    stopClock()
    stopHooks()
    stopLooking()
    stopSweeping()
    stopPictures()
    stopForgetting()
    await Promise.all(threads.map((thread) => thread.stop()))
  }
}
