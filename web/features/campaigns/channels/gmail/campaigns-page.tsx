export { CampaignsPage as default } from '#web/features/campaigns/index.ts'

export const meta = () => [{ title: 'Gmail campaigns · Postlark' }]
