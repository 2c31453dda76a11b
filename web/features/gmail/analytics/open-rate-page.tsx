import { AnalyticsPage } from './analytics-page.tsx'

export const meta = () => [{ title: 'Gmail Open Rate · Postlark' }]

export default function OpenRatePage() {
  return <AnalyticsPage kind="open" />
}
