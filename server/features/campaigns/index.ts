/** Campaigns: what is sent to whom, and the sending of it. */
import { addWorkspacePart } from '#server/features/accounts/index.ts'
import { addContactPart } from '#server/features/contacts/index.ts'
import { addSenderPart } from '#server/features/senders/index.ts'
import { addTemplatePart } from '#server/features/templates/index.ts'
import { addMessagePart } from '#server/features/tracking/index.ts'
import { sendWaiting } from './channels/email/receivers.ts'
import { refuseSuppressed } from './channels/email/test-message.ts'
import { findChannel } from './channels/index.ts'
import { deleteTold } from './origins.ts'
import { eraseFromCampaigns, giveMessages, giveMessagesBack } from './people.ts'
import { forgetSender, forgetTemplate, listSenderUses } from './references.ts'
import { campaignsRemoval } from './removal.ts'
import { reserve } from './sending/budget.ts'
import { findLine } from './sending/singles/line.ts'

export { noteBounce, noteFeedback, TooEarly } from './channels/email/results.ts'
export { addSampleCampaign, removeSampleCampaigns } from './channels/email/samples.ts'
export { findCampaigns } from './find.ts'
export { handleJobs } from './jobs.ts'
export { mountCampaigns } from './routes.ts'
export { startSending } from './sending/start.ts'
export { freezeStepEmail, type PreparedEmail, prepareStepEmail, queueStepEmail, testStepEmail } from './step-emails.ts'
export {
  deleteStepDrafts,
  hideStepEmails,
  readStepEmails,
  type StepEmail,
} from './step-emails-store.ts'
export { pauseForSuspension } from './suspension.ts'

// Every process that serves requests or handles jobs loads this feature.
addWorkspacePart('campaigns', campaignsRemoval)
addContactPart('campaigns', {
  deleteWith: deleteTold,
  erase: eraseFromCampaigns,
  merge: giveMessages,
  unmerge: giveMessagesBack,
})
addSenderPart('campaigns', {
  forget: forgetSender,
  listUses: listSenderUses,
  reserve: ({ db, queue }, workspaceId, sender, wanted) => reserve(db, workspaceId, sender, wanted, { queue }),
  reserveDay: ({ db }, workspaceId, sender, wanted) => reserve(db, workspaceId, sender, wanted),
  handOver: (services, email, begin) => findLine(services).send(email, begin),
  sendWaiting,
  refuseSuppressed,
})
addTemplatePart('campaigns', { forget: forgetTemplate })
addMessagePart({
  observe: async (db, workspaceId, channel, campaignId) => findChannel(channel)?.observe?.(db, workspaceId, campaignId),
  readFacts: async (db, workspaceId, channel, messageId) =>
    findChannel(channel)?.messageFacts?.(db, workspaceId, messageId),
})
