export { CampaignPage as default } from '#web/features/campaigns/index.ts'

export const meta = () => [{ title: 'Gmail campaign · Postlark' }]
