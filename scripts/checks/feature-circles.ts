/** Refuses features that import each other in a circle, of two or more. Prints each circle with its files, and exits with 1. */
import { globSync, readFileSync } from 'node:fs'

const TESTS = /\.(test|fixture)\.tsx?$|\/testing(\.ts$|\/)/
const SIDES = ['web', 'server'] as const
/** Imports that are allowed to close a circle, as "side/importer > side/imported", with why. */
const ALLOWED = new Map<string, string>()

/** An import of one feature by another; `file` is where the first of its kind stands. */
export interface FeatureImport {
  from: string
  to: string
  file: string
}

/** The features of the same side that a file imports, types included. */
export function findImports(file: string, source: string): FeatureImport[] {
  const [, side, from] = /^(web|server)\/features\/([^/]+)\//.exec(file) ?? []
  if (!side || !from) return []
  const imported = [...source.matchAll(/['"]#(web|server)\/features\/([^/'"]+)\//g)]
    .filter(([, other, to]) => other === side && to !== from)
    .map(([, , to]) => to as string)
  return [...new Set(imported)].map((to) => ({ from, to, file }))
}

/** The circles among imports, each once and by its shortest way, from the feature that comes first in the alphabet. */
export function findCircles(imports: FeatureImport[]): FeatureImport[][] {
  const features = [...new Set(imports.map(({ from }) => from))].sort()
  const circles: FeatureImport[][] = []
  for (const start of features) {
    const circle = shortestWayBack(start, imports)
    const isKnown = circles.some((known) => known.some(({ from }) => circle?.some((step) => step.from === from)))
    if (circle && !isKnown) circles.push(circle)
  }
  return circles
}

function shortestWayBack(start: string, imports: FeatureImport[]): FeatureImport[] | undefined {
  const reached = new Set<string>()
  let ways: FeatureImport[][] = [[]]
  while (ways.length > 0) {
    const longer = ways.flatMap((way) =>
      imports.filter(({ from }) => from === (way.at(-1)?.to ?? start)).map((step) => [...way, step]),
    )
    const circle = longer.find((way) => way.at(-1)?.to === start)
    if (circle) return circle
    ways = longer.filter((way) => {
      const { to = start } = way.at(-1) ?? {}
      return !reached.has(to) && reached.add(to)
    })
  }
  return undefined
}

if (import.meta.main) {
  for (const side of SIDES) {
    const files = globSync(`${side}/features/**/*.{ts,tsx}`).filter((file) => !TESTS.test(file))
    const imports = files.sort().flatMap((file) => findImports(file, readFileSync(file, 'utf8')))
    const counted = imports.filter(({ from, to }) => !ALLOWED.has(`${side}/${from} > ${side}/${to}`))
    for (const circle of findCircles(counted)) {
      console.error(`Features of ${side} import each other in a circle:`)
      for (const { from, to, file } of circle) console.error(`    ${from} > ${to} in ${file}`)
      process.exitCode = 1
    }
  }
}
