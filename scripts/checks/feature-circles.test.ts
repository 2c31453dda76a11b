import { expect, test } from 'vitest'
import { findCircles, findImports } from './feature-circles.ts'

const findNames = (...pairs: [from: string, to: string][]) =>
  findCircles(pairs.map(([from, to]) => ({ from, to, file: `web/features/${from}/x.ts` }))).map((circle) =>
    circle.map(({ from }) => from),
  )

test('feature circles: imports of other features of the same side are found, each once', () => {
  const source = `import { a } from '#web/features/billing/index.ts'
    import type { B } from '#web/features/billing/plan.ts'
    const { c } = await import('#web/features/site/index.ts')
    import { own } from '#web/features/accounts/own.ts'
    import { other } from '#server/features/blog/index.ts'`
  expect(findImports('web/features/accounts/x.tsx', source).map(({ to }) => to)).toEqual(['billing', 'site'])
  expect(findImports('web/session/queries.ts', source)).toEqual([])
})

test('feature circles: pairs and longer circles are found once, chains are not', () => {
  expect(findNames(['a', 'b'], ['b', 'c'])).toEqual([])
  expect(findNames(['a', 'b'], ['b', 'a'])).toEqual([['a', 'b']])
  expect(findNames(['x', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a'])).toEqual([['a', 'b', 'c']])
  expect(findNames(['a', 'b'], ['b', 'a'], ['c', 'd'], ['d', 'c'])).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})
