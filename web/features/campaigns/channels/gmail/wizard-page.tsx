import { ChannelContext } from '#web/channel-pages.ts'
import { CampaignWizard, type WizardParts } from '#web/features/campaigns/index.ts'
import { AccountsStep } from './step-accounts.tsx'
import { FilesStep } from './step-files.tsx'
import { FollowUpsStep } from './step-follow-ups.tsx'
import { HoursStep } from './step-hours.tsx'
import { GmailRecipientsStep } from './step-recipients.tsx'
import { useLastAccounts, useSteps } from './use-steps.ts'

export const meta = () => [{ title: 'New Gmail campaign · Postlark' }]

const parts: WizardParts = {
  authenticate: AccountsStep,
  recipients: GmailRecipientsStep,
  campaign: FilesStep,
  followups: FollowUpsStep,
  hours: HoursStep,
}

/** The wizard of the email sender, with what is Gmail's: several accounts, rows of a spreadsheet, files, sending hours. */
export default function GmailWizardPage() {
  return (
    <ChannelContext value="gmail">
      <CampaignWizard parts={parts} useSteps={useSteps} useSuggestion={useLastAccounts} />
    </ChannelContext>
  )
}
