/** The steps of a journey while they are edited. Every change gives a new tree; what did not change stays the same object. */
import { type JourneyStep, MAX_BRANCH_DEPTH, MAX_STEPS } from '#contracts/journeys/definition.ts'

export type Branch = Extract<JourneyStep, { kind: 'branch' }>
export type Side = 'yes' | 'no'
export type StepKind = JourneyStep['kind']

/** Where a step stands, or will: before the step that has this index now. Without a branch it is the journey's own row. */
export interface Place {
  branch: { id: string; side: Side } | null
  index: number
}

const SIDES: Side[] = ['yes', 'no']

export const isBranch = (step: JourneyStep): step is Branch => step.kind === 'branch'

/** Every step in the order they are read: a branch, its yes, its no, and what follows. */
export const listSteps = (steps: JourneyStep[]): JourneyStep[] =>
  steps.flatMap((step) => [step, ...(isBranch(step) ? [...listSteps(step.yes), ...listSteps(step.no)] : [])])

export const findStep = (steps: JourneyStep[], id: string): JourneyStep | undefined =>
  listSteps(steps).find((step) => step.id === id)

/** Branches within one another, the outermost counted. */
export const measureDepth = (steps: JourneyStep[]): number =>
  Math.max(0, ...steps.map((step) => (isBranch(step) ? 1 + measureDepth([...step.yes, ...step.no]) : 0)))

/** Every place a step can stand at, in the order they are read. */
export function listPlaces(steps: JourneyStep[], branch: Place['branch'] = null): Place[] {
  const inside = (step: JourneyStep) =>
    isBranch(step) ? SIDES.flatMap((side) => listPlaces(step[side], { id: step.id, side })) : []
  return [...steps.flatMap((step, index) => [{ branch, index }, ...inside(step)]), { branch, index: steps.length }]
}

const isSamePlace = (a: Place, b: Place) =>
  a.index === b.index && a.branch?.id === b.branch?.id && a.branch?.side === b.branch?.side

/** Where a step stands; undefined where there is none of that id. */
export function findPlace(steps: JourneyStep[], id: string, branch: Place['branch'] = null): Place | undefined {
  const index = steps.findIndex((step) => step.id === id)
  if (index >= 0) return { branch, index }
  for (const step of steps.filter(isBranch))
    for (const side of SIDES) {
      const found = findPlace(step[side], id, { id: step.id, side })
      if (found) return found
    }
  return undefined
}

/** The tree with the row of a branch's side, or the outermost one, changed. */
function changeRow(
  steps: JourneyStep[],
  branch: Place['branch'],
  change: (row: JourneyStep[]) => JourneyStep[],
): JourneyStep[] {
  if (!branch) return change(steps)
  return changeStep(steps, branch.id, (step) =>
    isBranch(step) ? { ...step, [branch.side]: change(step[branch.side]) } : step,
  )
}

/** The tree with the step of an id changed. */
export function changeStep(
  steps: JourneyStep[],
  id: string,
  change: (step: JourneyStep) => JourneyStep,
): JourneyStep[] {
  let isChanged = false
  const walked = steps.map((step) => {
    let next = step
    if (step.id === id) next = change(step)
    else if (isBranch(step)) {
      const [yes, no] = [changeStep(step.yes, id, change), changeStep(step.no, id, change)]
      if (yes !== step.yes || no !== step.no) next = { ...step, yes, no }
    }
    isChanged ||= next !== step
    return next
  })
  return isChanged ? walked : steps
}

/** The tree with a step put in at a place. */
export const insertStep = (steps: JourneyStep[], { branch, index }: Place, step: JourneyStep): JourneyStep[] =>
  changeRow(steps, branch, (row) => row.toSpliced(index, 0, step))

/** The tree without a step; a branch goes with the steps of its sides. */
export function removeStep(steps: JourneyStep[], id: string): JourneyStep[] {
  const place = findPlace(steps, id)
  return place ? changeRow(steps, place.branch, (row) => row.toSpliced(place.index, 1)) : steps
}

/** Whether the tree with the step at this place is within the bounds of a journey. */
export function fits(steps: JourneyStep[], place: Place, step: JourneyStep): boolean {
  const next = insertStep(steps, place, step)
  return listSteps(next).length <= MAX_STEPS && measureDepth(next) <= MAX_BRANCH_DEPTH
}

/** Where a step comes when it moves up (-1) or down (1): to the next place in the order they are read; undefined at an end. */
function findNextPlace(steps: JourneyStep[], id: string, by: 1 | -1) {
  const [step, place] = [findStep(steps, id), findPlace(steps, id)]
  if (!step || !place) return undefined
  const rest = removeStep(steps, id)
  const places = listPlaces(rest)
  const now = places.findIndex((one) => isSamePlace(one, place))
  const ahead = by > 0 ? places.slice(now + 1) : places.slice(0, now).reverse()
  const next = ahead.find((one) => fits(rest, one, step))
  return next && { rest, next, step }
}

export const canMove = (steps: JourneyStep[], id: string, by: 1 | -1): boolean =>
  findNextPlace(steps, id, by) !== undefined

/** The tree with a step one place further up or down: into a branch it meets, and out of it at the end of a side. */
export function moveStep(steps: JourneyStep[], id: string, by: 1 | -1): JourneyStep[] {
  const found = findNextPlace(steps, id, by)
  return found ? insertStep(found.rest, found.next, found.step) : steps
}

/** A step with ids of its own, its branches' steps too. `newId` gives an id that no step has. */
function copyStep(step: JourneyStep, newId: (kind: StepKind) => string): JourneyStep {
  const id = newId(step.kind)
  if (!isBranch(step)) return { ...step, id }
  const copyRow = (row: JourneyStep[]) => row.map((one) => copyStep(one, newId))
  return { ...step, id, yes: copyRow(step.yes), no: copyRow(step.no) }
}

/** The tree with a copy of a step after it, and the copy's id; undefined where it would be too large. */
export function duplicateStep(
  steps: JourneyStep[],
  id: string,
  newId: (kind: StepKind) => string,
): { steps: JourneyStep[]; id: string } | undefined {
  const [step, place] = [findStep(steps, id), findPlace(steps, id)]
  if (!step || !place) return undefined
  const copy = copyStep(step, newId)
  const after = { ...place, index: place.index + 1 }
  return fits(steps, after, copy) ? { steps: insertStep(steps, after, copy), id: copy.id } : undefined
}

/** An id for a new step: its kind and six random characters, which are looked at again only where they are taken. */
export function newStepId(steps: JourneyStep[], kind: StepKind): string {
  const taken = new Set(listSteps(steps).map(({ id }) => id))
  for (;;) {
    const random = crypto.randomUUID().slice(0, 6)
    const id = `${kind.replaceAll('_', '-')}-${random}`
    if (!taken.has(id)) return id
  }
}
