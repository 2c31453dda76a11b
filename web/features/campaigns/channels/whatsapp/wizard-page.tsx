import { ChannelContext } from '#web/channel-pages.ts'
import { CampaignWizard, type WizardParts } from '#web/features/campaigns/index.ts'
import { NeedsNumber } from '#web/features/whatsapp/index.ts'
import { AudienceStep } from './step-audience.tsx'
import { NumberStep } from './step-number.tsx'
import { MessageSendStep } from './step-send.tsx'
import { TemplateStep } from './step-template.tsx'
import { useLastNumber, useSteps } from './use-content.ts'

export const meta = () => [{ title: 'New WhatsApp campaign · Postlark' }]

const parts: WizardParts = {
  authenticate: NumberStep,
  recipients: AudienceStep,
  template: TemplateStep,
  send: MessageSendStep,
}

const WithNumber = ({ children }: { children: React.ReactNode }) => (
  <NeedsNumber what="Connect your own WhatsApp number to send campaigns.">{children}</NeedsNumber>
)

/** The wizard of the email sender, with what is WhatsApp's: a number, recorded consents, a template with variables. */
export default function WhatsAppWizardPage() {
  return (
    <ChannelContext value="whatsapp">
      <CampaignWizard parts={parts} useSteps={useSteps} useSuggestion={useLastNumber} gate={WithNumber} />
    </ChannelContext>
  )
}
