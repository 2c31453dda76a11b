import type { Journey } from '#contracts/journeys/journeys.ts'
import { Button } from '#web/ui/form/button.tsx'
import { type Trial, useFlow } from './flow-context.ts'
import type { Editor } from './use-editor.ts'

/** What a trial needs: it saves what is being edited first, and tells the flow what to show. */
export interface TrialProps {
  journey: Journey
  saving: Editor['saving']
  onTrial: (trial: Trial | null) => void
}

/** Leads from a trial to the cards it is shown on, where the panel lies over them. */
export function ShowOnFlow() {
  const { show } = useFlow()
  return (
    <Button size="sm" className="my-2 wide:hidden" onClick={() => show(null)}>
      Show on the flow
    </Button>
  )
}
