import type { Plan } from '#server/engine/index.ts'
import type { Channel } from '../channel.ts'
import { checkWindow } from '../hours/hours.ts'
import { countEmailAudience } from './audience.ts'
import { checkEmails } from './check.ts'
import { forecastEmail } from './forecast.ts'
import { launchEmails } from './launch.ts'
import { observeBySources } from './observation.ts'
import { presentEmail } from './present.ts'
import { resumeReceivers } from './receivers.ts'
import { runEmail } from './run.ts'
import { settleEmails } from './settle.ts'
import { testEmail } from './test-message.ts'

/** Emails through one mail server. */
export const email: Channel = {
  id: 'email',
  campaigns: 'email campaigns',
  isPaid: false,
  counts: 'emails',
  draft: {
    fields: ['replyTo', 'linkTags', 'window', 'trackingMode'],
    check: async (_db, _workspaceId, { window }) => checkWindow(window),
    columns: ({ linkTags }) => (linkTags ? { linkTags: JSON.stringify(linkTags) } : {}),
    hasDefaultSender: true,
    refuseSender: (kind) => (kind === 'gmail' ? 'is a Gmail account: make it a Gmail campaign' : undefined),
  },
  check: (services, campaign, isOwn) => checkEmails(services, campaign, isOwn, { noSender: 'Choose a sender.' }),
  countAudience: countEmailAudience,
  test: (services, caller, campaign, trial) => testEmail(services, caller, campaign, trial),
  plan: launchEmails,
  run: (sending, campaign, { plan }, signal) => runEmail(sending, campaign, plan as Plan, signal),
  settle: (db, campaign, claimId, settled) => settleEmails(db, campaign, claimId, settled),
  resume: resumeReceivers,
  forecast: forecastEmail,
  present: presentEmail,
  observe: observeBySources,
  isEmail: true,
}
