import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JourneyDefinition, type JourneyStep, MAX_BRANCH_DEPTH, MAX_STEPS } from '#contracts/journeys/definition.ts'
import {
  type Branch,
  canMove,
  changeStep,
  duplicateStep,
  findPlace,
  findStep,
  fits,
  insertStep,
  isBranch,
  listPlaces,
  listSteps,
  measureDepth,
  moveStep,
  newStepId,
  removeStep,
} from './tree.ts'

const exit = (id: string): JourneyStep => ({ id, kind: 'exit' })
const branch = (id: string, yes: JourneyStep[] = [], no: JourneyStep[] = []): Branch => ({
  id,
  kind: 'branch',
  filter: { op: 'and', items: [] },
  yes,
  no,
})

/** Any tree of a few steps; each step is numbered in the order they are read. */
const trees = fc
  .letrec<{ rows: JourneyStep[] }>((tie) => ({
    rows: fc.array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant(exit('x')),
        fc.tuple(tie('rows'), tie('rows')).map(([yes, no]) => branch('x', yes, no)),
      ),
      { maxLength: 3, depthIdentifier: 'rows' },
    ),
  }))
  .rows.map((rows) => {
    let made = 0
    const number = (row: JourneyStep[]): JourneyStep[] =>
      row.map((step) => {
        const id = `s${made++}`
        return isBranch(step) ? { ...step, id, yes: number(step.yes), no: number(step.no) } : { ...step, id }
      })
    return number(rows)
  })
  // Any two of them within one another are within the bounds.
  .filter((steps) => listSteps(steps).length <= 12 && measureDepth(steps) <= MAX_BRANCH_DEPTH / 2)

const idsIn = (steps: JourneyStep[]) => listSteps(steps).map(({ id }) => id)

test('journey tree: a step that is put in anywhere is found there, and its removal gives the tree back', () => {
  fc.assert(
    fc.property(trees, (steps) => {
      for (const place of listPlaces(steps)) {
        const next = insertStep(steps, place, exit('new'))
        expect(findPlace(next, 'new')).toEqual(place)
        expect(idsIn(next).toSorted()).toEqual([...idsIn(steps), 'new'].toSorted())
        expect(removeStep(next, 'new')).toEqual(steps)
      }
    }),
    { numRuns: 25 },
  )
})

test('journey tree: moving down and up again changes nothing, and a step reaches every place by moving', () => {
  fc.assert(
    fc.property(trees, (steps) => {
      for (const { id } of listSteps(steps)) {
        let at = steps
        let moves = 0
        for (; canMove(at, id, -1); at = moveStep(at, id, -1));
        for (; canMove(at, id, 1); moves++) {
          const next = moveStep(at, id, 1)
          expect(moveStep(next, id, -1)).toEqual(at)
          at = next
        }
        expect(moves).toBe(listPlaces(removeStep(steps, id)).length - 1)
        expect(idsIn(at).toSorted()).toEqual(idsIn(steps).toSorted())
        expect(moveStep(at, id, 1)).toBe(at)
      }
    }),
    { numRuns: 25 },
  )
})

test('journey tree: a copy stands after its step with ids of its own, and everything else stays the same object', () => {
  fc.assert(
    fc.property(trees, (steps) => {
      for (const { id } of listSteps(steps)) {
        let made = 0
        const copied = duplicateStep(steps, id, () => `c${made++}`)
        if (!copied) throw new Error('a small tree has room for a copy')
        expect(new Set(idsIn(copied.steps)).size).toBe(idsIn(copied.steps).length)
        const [place, after] = [findPlace(steps, id), findPlace(copied.steps, copied.id)]
        expect(after).toEqual(place && { ...place, index: place.index + 1 })
        expect(removeStep(copied.steps, copied.id)).toEqual(steps)
        const changed = changeStep(steps, id, (step) => ({ ...step, id: 'renamed' }))
        expect(listSteps(changed).filter((step, at) => step !== listSteps(steps)[at]).length).toBeGreaterThan(0)
        expect(findStep(changed, id)).toBeUndefined()
      }
      expect(changeStep(steps, 'nobody', exit as never)).toBe(steps)
      expect(removeStep(steps, 'nobody')).toBe(steps)
    }),
    { numRuns: 25 },
  )
})

test('journey tree: a step goes into a branch it meets and out at its end, and the bounds of a journey hold', () => {
  const steps = [exit('a'), branch('b', [exit('y')], []), exit('z')]
  const inYes = moveStep(steps, 'a', 1)
  expect(findPlace(inYes, 'a')).toEqual({ branch: { id: 'b', side: 'yes' }, index: 0 })
  const inNo = moveStep(moveStep(inYes, 'a', 1), 'a', 1)
  expect(findPlace(inNo, 'a')).toEqual({ branch: { id: 'b', side: 'no' }, index: 0 })
  expect(findPlace(moveStep(inNo, 'a', 1), 'a')).toEqual({ branch: null, index: 1 })
  let deep: JourneyStep[] = []
  for (let depth = 0; depth < MAX_BRANCH_DEPTH; depth++) deep = [branch(`d${depth}`, deep)]
  const inside = { branch: { id: 'd0', side: 'yes' as const }, index: 0 }
  expect([fits(deep, inside, exit('e')), fits(deep, inside, branch('e'))]).toEqual([true, false])
  // A branch that would be too deep moves past the one it cannot enter.
  expect(findPlace(moveStep([branch('e'), ...deep], 'e', 1), 'e')?.branch?.id).not.toBe('d0')
  const full = Array.from({ length: MAX_STEPS }, (_, at) => exit(`f${at}`))
  expect(fits(full, { branch: null, index: 0 }, exit('e'))).toBe(false)
  expect(duplicateStep(full, 'f0', () => 'e')).toBeUndefined()
  expect(duplicateStep(full, 'nobody', () => 'e')).toBeUndefined()
  const id = newStepId(full, 'add_to_list')
  expect(
    JourneyDefinition.safeParse({ trigger: { kind: 'manual' }, steps: [{ id, kind: 'exit' }] }).error,
  ).toBeUndefined()
})
