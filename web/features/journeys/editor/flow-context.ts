import { createContext, use } from 'react'
import type { Journey } from '#contracts/journeys/journeys.ts'
import type { Names } from '../names.ts'
import type { Place, StepKind } from './tree.ts'

/** What the panel beside the flow shows. */
export type Shown =
  | { kind: 'step'; id: string }
  | { kind: 'trigger' }
  | { kind: 'goal' }
  | { kind: 'simulate' }
  | { kind: 'replay' }

/** What a trial says of the steps: when a contact would get there and what comes of it, or how many would. `title`: of what it is. */
export type Trial = { title: string } & (
  | { kind: 'simulate'; path: Map<string, { at: string; outcome: string }> }
  | { kind: 'replay'; replayed: number; entered: Map<string, number> }
)

export interface FlowState {
  journey: Journey
  names: Names
  isEditable: boolean
  shown: Shown | null
  show: (shown: Shown | null) => void
  trial: Trial | null
  clearTrial: () => void
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
