const HOUR_MS = 3_600_000

/** How long the product waits between two looks at something, in milliseconds. Made once at the start, so that tests can wait less. */
export interface Intervals {
  /** Between two looks for jobs whose time has come; pg-boss takes 500 at least. Those that are due at once do not wait for it. */
  queuePollMs: number
  dueCampaignsMs: number
  lostLaunchesMs: number
  /** Between two looks for contacts who go on in journeys. */
  journeysMs: number
  /** Between two looks for contacts whom a trigger lets enter a journey. */
  journeyTriggersMs: number
  /** Between two of them within one that takes long: who gets due meanwhile joins in. */
  journeyTriggersJoinMs: number
  /** Between two looks for mailboxes whose turn has come; a mailbox itself is read once a minute. */
  dueMailboxesMs: number
  confirmationEmailsMs: number
  /** Between two looks for requests that nobody confirmed in time. */
  oldConfirmationsMs: number
  /** Between two looks for clicks whose tags are due. */
  clickTagsMs: number
  lostImportsMs: number
  lostWebhooksMs: number
  oldBounceEventsMs: number
  oldMergesMs: number
  oldContactEventsMs: number
  oldBulkChangesMs: number
  /** Between two looks for messages whose events changed since they were counted. */
  rollupsMs: number
  /** Between two checks of some of the figures of reports. */
  rollupsCheckMs: number
  /** Between two looks whether a month has passed whose events are merged. */
  retentionMs: number
  expiredSessionsMs: number
  oldCrawlPagesMs: number
  unusedImagesMs: number
  billingSyncMs: number
  unusedReservationsMs: number
  /** Between two looks for sending domains whose check is due. */
  domainChecksMs: number
  /**
   * Between two looks for work of a thread that is not running, such as the sending one. What happens in this process starts
   * it at once; this is for what others on the database have begun.
   */
  newWorkMs: number
  /** Between two looks of the sending thread for campaigns to go on with. */
  sendingPollMs: number
  /** Between two looks of the collecting thread for crawl jobs. */
  collectingPollMs: number
  /** Between two looks at what a live stream of events shows. */
  campaignStreamMs: number
  crawlStreamMs: number
  inboxStreamMs: number
}

/** The intervals of the product as it runs. */
export const DEFAULT_INTERVALS: Intervals = {
  queuePollMs: 1_000,
  dueCampaignsMs: 1_000,
  lostLaunchesMs: 10_000,
  journeysMs: 1_000,
  journeyTriggersMs: 5_000,
  journeyTriggersJoinMs: 2_000,
  dueMailboxesMs: 5_000,
  confirmationEmailsMs: 1_000,
  oldConfirmationsMs: HOUR_MS / 4,
  clickTagsMs: 15_000,
  lostImportsMs: 10_000,
  lostWebhooksMs: 15_000,
  oldBounceEventsMs: 24 * HOUR_MS,
  oldMergesMs: 24 * HOUR_MS,
  oldContactEventsMs: 24 * HOUR_MS,
  oldBulkChangesMs: HOUR_MS,
  rollupsMs: 3_000,
  rollupsCheckMs: 24 * HOUR_MS,
  retentionMs: 24 * HOUR_MS,
  expiredSessionsMs: HOUR_MS,
  oldCrawlPagesMs: HOUR_MS,
  unusedImagesMs: 24 * HOUR_MS,
  billingSyncMs: HOUR_MS,
  unusedReservationsMs: HOUR_MS,
  domainChecksMs: 5_000,
  newWorkMs: 2_000,
  sendingPollMs: 400,
  collectingPollMs: 500,
  campaignStreamMs: 500,
  crawlStreamMs: 1_000,
  inboxStreamMs: 1_000,
}
