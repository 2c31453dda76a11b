import type { Activity } from '#contracts/dashboard/dashboard.ts'
import { ActiveJourneys } from './active-journeys.tsx'
import { ActivityTrend } from './activity-trend.tsx'
import { LastCampaign } from './last-campaign.tsx'
import { NextCampaign } from './next-campaign.tsx'

interface ResultsProps {
  /** undefined while loading. */
  activity: Activity | undefined
  attention: React.ReactNode
  plan: React.ReactNode
}

/** What campaigns did, beside what needs the user, what comes next and the plan. */
export default function Results({ activity, attention, plan }: ResultsProps) {
  return (
    <>
      <ActivityTrend activity={activity} />
      <div className="grid items-start gap-5 wide:grid-cols-5">
        <div className="min-w-0 space-y-5 wide:col-span-3">
          {activity?.last && <LastCampaign last={activity.last} />}
          {attention}
        </div>
        <div className="min-w-0 space-y-5 wide:col-span-2">
          <NextCampaign next={activity?.next} />
          <ActiveJourneys />
          {plan}
        </div>
      </div>
    </>
  )
}
