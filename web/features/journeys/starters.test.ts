import { expect, test } from 'vitest'
import { ContactFilter } from '#contracts/contacts/conditions.ts'
import { JourneyDefinition } from '#contracts/journeys/definition.ts'
import { listSteps } from './editor/tree.ts'
import { describeStep, describeTrigger, nameStep } from './labels.ts'
import { inactiveSegment, starters } from './starters.ts'

const names = {
  list: () => 'News',
  tag: () => 'VIP',
  segment: () => 'Quiet',
  field: (name: string) => name,
  filter: () => 'Opened lately',
}

test('journey starters: each is a definition the contract takes, chosen or not, and every step has words', () => {
  expect(ContactFilter.safeParse(inactiveSegment.filter).success).toBe(true)
  // Who came yesterday is not inactive, and neither is who has no address.
  for (const condition of [
    { field: 'joinedAt', is: 'notInLast', value: 90 },
    { field: 'createdAt', is: 'notInLast', value: 90 },
    { field: 'email', is: 'notEmpty' },
  ])
    expect(inactiveSegment.filter.items).toContainEqual(condition)
  for (const { id, build } of starters)
    for (const chosen of ['7', null]) {
      const made = build(chosen)
      expect(JourneyDefinition.parse(made), id).toEqual(made)
      for (const step of listSteps(made.steps)) expect(nameStep(step, names)).toMatch(/^[A-Z]/)
    }
  const told = starters.map(({ build }) => describeTrigger(build('7').trigger, names))
  expect(told).toEqual(['Joins the list News', 'Is in the segment Quiet', 'Gets the tag VIP', 'Joins a list'])
  const set = { id: 's', kind: 'set_field' as const, attributes: { plan: 'pro', seats: null } }
  expect(describeStep(set, names).detail).toBe('plan: pro, seats: empty')
  expect(nameStep({ id: 'w', kind: 'wait', amount: 1, unit: 'days' }, names)).toBe('Wait 1 day')
})
