import { CampaignWizard } from '../../wizard/wizard.tsx'

export const meta = () => [{ title: 'New campaign · Postlark' }]

export default function WizardPage() {
  return <CampaignWizard />
}
