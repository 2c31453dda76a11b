import { Button } from '#web/ui/form/button.tsx'
import { useFlow } from './flow-context.ts'

/** Leads from a trial to the cards it is shown on, where the panel lies over them. */
export function ShowOnFlow() {
  const { show } = useFlow()
  return (
    <Button size="sm" className="my-2 wide:hidden" onClick={() => show(null)}>
      Show on the flow
    </Button>
  )
}
