import { Begin } from './begin.tsx'
import { FiveSteps } from './five-steps.tsx'
import { ServiceCards } from './service-cards.tsx'
import { Testimonials } from './testimonials.tsx'
import { Unique } from './unique.tsx'

/** What of the landing page is not in sight at first; a file of its own, so that its code can come later than its text. */
export default function BelowTheFold() {
  return (
    <>
      <FiveSteps />
      <ServiceCards />
      <Unique />
      <Testimonials />
      <Begin />
    </>
  )
}
