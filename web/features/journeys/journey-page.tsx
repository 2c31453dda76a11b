import { useParams } from 'react-router'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { JourneyEditor } from './editor/journey-editor.tsx'
import { useJourney } from './queries.ts'

export const meta = () => [{ title: 'Journey · Postlark' }]

/** The editor of one journey. */
export default function JourneyPage() {
  const { id = '' } = useParams()
  const { data, isError, error, refetch } = useJourney(id)
  if (data) return <JourneyEditor key={id} journey={data} />
  return (
    <FocusedPage
      exit={{ to: '/journeys', label: 'journeys' }}
      left={<h1 className="text-base font-medium">Journey</h1>}
    >
      {isError ? (
        <ErrorState title="The journey could not be opened" error={error} onRetry={() => refetch()} />
      ) : (
        <SkeletonRows />
      )}
    </FocusedPage>
  )
}
