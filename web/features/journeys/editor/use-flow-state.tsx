import { useState } from 'react'
import type { Journey } from '#contracts/journeys/journeys.ts'
import { plural } from '#web/ui/lib/format.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { stepLabels } from '../labels.ts'
import { useNames } from '../names.ts'
import type { FlowState, Shown, Trial } from './flow-context.ts'
import { newStep } from './new-step.ts'
import {
  canMove,
  duplicateStep,
  findStep,
  fits,
  insertStep,
  listSteps,
  moveStep,
  newStepId,
  removeStep,
} from './tree.ts'
import type { Editor } from './use-editor.ts'

/** One notice of what was deleted at a time. */
const NOTICE = 'journey-step-deleted'

/** What is selected and tried, and what the buttons of the cards do. `leaving`: a step whose contacts would leave with it. */
export function useFlowState(journey: Journey, editor: Editor) {
  const names = useNames()
  const [shown, setShown] = useState<Shown | null>(null)
  // A trial is of the definition it was made with.
  const [tried, setTried] = useState<{ trial: Trial | null; of: unknown }>({ trial: null, of: null })
  const [leaving, setLeaving] = useState<{ id: string; waiting: number } | null>(null)
  const { steps } = editor.definition

  const setTrial = (trial: Trial | null) => setTried({ trial, of: editor.definition })

  function removeNow(id: string) {
    const step = findStep(steps, id)
    if (!step) return
    editor.changeSteps(removeStep(steps, id))
    setShown(null)
    const within = listSteps([step]).length - 1
    const what = within > 0 ? `${stepLabels[step.kind]} and ${plural(within, 'step')} in it` : stepLabels[step.kind]
    toast(`${what} deleted`, { id: NOTICE, action: { label: 'Undo', onClick: editor.undo } })
  }

  const flow: FlowState = {
    journey,
    names,
    isEditable: editor.isEditable,
    shown,
    show: setShown,
    trial: tried.of === editor.definition ? tried.trial : null,
    clearTrial: () => setTrial(null),
    insert(place, kind) {
      const id = newStepId(steps, kind)
      toast.dismiss(NOTICE)
      editor.changeSteps(insertStep(steps, place, newStep(kind, id, steps)))
      setShown({ kind: 'step', id })
    },
    canInsert: (place, kind) => fits(steps, place, newStep(kind, 'new', [])),
    move: (id, by) => {
      toast.dismiss(NOTICE)
      editor.changeSteps(moveStep(steps, id, by))
    },
    canMove: (id, by) => canMove(steps, id, by),
    duplicate(id) {
      const copied = duplicateStep(steps, id, (kind) => newStepId(steps, kind))
      if (!copied) return void toast.error('A journey has at most 100 steps.')
      toast.dismiss(NOTICE)
      editor.changeSteps(copied.steps)
      setShown({ kind: 'step', id: copied.id })
    },
    remove(id) {
      const within = new Set(listSteps([findStep(steps, id) ?? []].flat()).map((step) => step.id))
      const waiting = journey.steps.reduce((sum, step) => sum + (within.has(step.stepId) ? step.waiting : 0), 0)
      if (waiting > 0) setLeaving({ id, waiting })
      else removeNow(id)
    },
  }
  return { flow, setTrial, leaving, setLeaving, removeNow }
}
