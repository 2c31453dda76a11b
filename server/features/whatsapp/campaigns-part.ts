import type { Db } from '#server/platform/db/database.ts'

/** What follows for campaigns from what Meta says. Runs in the transaction that stores it. */
export interface CampaignsPart {
  /** Brings the recipients of campaigns to what is known of these messages, by the recipients' ids. */
  settleMessages(db: Db, workspaceId: string, messageIds: string[]): Promise<void>
  /** Pauses what is being sent with templates of a business account that may not be sent any more. */
  pauseForTemplates(db: Db, workspaceId: string, businessAccountId: string): Promise<void>
}

let part: CampaignsPart | undefined

/** Adds the part of features/campaigns, which does so when it is loaded: it calls WhatsApp, so WhatsApp cannot call it. */
export function addCampaignsPart(given: CampaignsPart): void {
  part = given
}

/** The part of campaigns. Throws where they were not loaded. */
export function campaignsPart(): CampaignsPart {
  if (!part) throw new Error('features/campaigns was not loaded: what Meta says of its messages would be lost')
  return part
}
