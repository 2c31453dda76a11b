import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { StarterGallery } from './starter-gallery.tsx'

export const meta = () => [{ title: 'New journey · Postlark' }]

/** The ways to begin a journey. */
export default function NewJourneyPage() {
  return (
    <>
      <PageHeader
        title="New journey"
        back={{ to: '/journeys', label: 'Journeys' }}
        description="Choose where to begin. Everything can be changed later, and nothing is sent until you activate it."
      />
      <StarterGallery />
    </>
  )
}
