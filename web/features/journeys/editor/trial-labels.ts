import type { JourneyStep } from '#contracts/journeys/definition.ts'

/** What a simulated step says besides its time; nothing where there is nothing to say. */
export function describeOutcome(step: JourneyStep, outcome: string): string {
  if (outcome === '') return ''
  if (step.kind === 'branch') return outcome === 'yes' ? 'Yes' : 'No'
  if (step.kind === 'email') return `skipped: ${outcome.replaceAll('_', ' ')}`
  return outcome.replaceAll('_', ' ')
}
