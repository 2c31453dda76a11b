/** A definition as the order in which contacts go through its steps. */
import type { JourneyDefinition, JourneyStep } from '#contracts/journeys/definition.ts'

type Kind = JourneyStep['kind']
/** A step of one kind. */
export type StepOf<K extends Kind> = Extract<JourneyStep, { kind: K }>

/** A step with what comes after it. */
export interface ProgramStep {
  step: JourneyStep
  /** The step after it; of a branch, for whom its filter is not true. null: the end. */
  next: string | null
  /** Of a branch: the step for whom its filter is true. */
  yes: string | null
  /** Where it stands in the definition, such as steps.0.yes.1. */
  path: string
}

/** Steps by their id, each before those it leads to. */
export interface Program {
  first: string | null
  steps: Map<string, ProgramStep>
}

/** The steps of a definition, each before those it leads to. */
export function toProgram({ steps }: Pick<JourneyDefinition, 'steps'>): Program {
  const found = new Map<string, ProgramStep>()
  const walk = (some: JourneyStep[], after: string | null, path: string): void => {
    for (const [index, step] of some.entries()) {
      const next = some[index + 1]?.id ?? after
      const at = `${path}.${index}`
      if (step.kind !== 'branch') {
        found.set(step.id, { step, next, yes: null, path: at })
        continue
      }
      found.set(step.id, { step, next: step.no[0]?.id ?? next, yes: step.yes[0]?.id ?? next, path: at })
      walk(step.yes, next, `${at}.yes`)
      walk(step.no, next, `${at}.no`)
    }
  }
  walk(steps, null, 'steps')
  return { first: steps[0]?.id ?? null, steps: found }
}

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const

/** How long a wait takes, in milliseconds. */
export const waitMs = ({ amount, unit }: StepOf<'wait'>): number => amount * UNIT_MS[unit]
