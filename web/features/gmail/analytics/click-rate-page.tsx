import { AnalyticsPage } from './analytics-page.tsx'

export const meta = () => [{ title: 'Gmail Click Rate · Postlark' }]

export default function ClickRatePage() {
  return <AnalyticsPage kind="click" />
}
