import { testApp } from '#server/testing/app.ts'
import { freePort } from './server-process.ts'

const port = String(await freePort())

/** Where the product believes it is. What leads back to it, such as Google or a checkout, leads here. */
export const home = `http://localhost:${port}`

/**
 * The product with its pages, for every file of this worker that needs no settings of its own. Each person has a
 * workspace of their own; what belongs to the installation (posts, the sandbox's mail) needs a product of its own.
 */
export const t = await testApp({
  pages: 'built',
  environment: { PORT: port, PUBLIC_URL: home },
  // A page takes longer than this to show anything, and needs the processor for it.
  intervals: {
    dueCampaignsMs: 500,
    dueMailboxesMs: 500,
    confirmationEmailsMs: 500,
    sendingPollMs: 200,
    collectingPollMs: 250,
  },
})
