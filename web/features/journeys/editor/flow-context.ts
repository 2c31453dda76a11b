import { createContext, use } from 'react'
import type { Journey } from '#contracts/journeys/journeys.ts'
import type { Names } from '../names.ts'
import type { Place, StepKind } from './tree.ts'

/** What the panel beside the flow shows. */
export type Shown = { kind: 'step'; id: string } | { kind: 'trigger' } | { kind: 'goal' }

export interface FlowState {
  journey: Journey
  names: Names
  isEditable: boolean
  shown: Shown | null
  show: (shown: Shown | null) => void
  insert: (place: Place, kind: StepKind) => void
  canInsert: (place: Place, kind: StepKind) => boolean
  move: (id: string, by: 1 | -1) => void
  canMove: (id: string, by: 1 | -1) => boolean
  duplicate: (id: string) => void
  remove: (id: string) => void
}

const FlowContext = createContext<FlowState | null>(null)

export const FlowProvider = FlowContext.Provider

/** The journey around a card, and what can be done with its steps. */
export function useFlow(): FlowState {
  const flow = use(FlowContext)
  if (!flow) throw new Error('A card of a journey stands outside of its flow')
  return flow
}
