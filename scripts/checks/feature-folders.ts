/**
 * Refuses a folder of a feature that stands on the server or in web only, unless the table of docs/architecture.md says
 * why, and a row of that table that is no longer true. Prints each, and exits with 1 if there is one.
 */
import { globSync, readFileSync } from 'node:fs'

const PATH = 'docs/architecture.md'
const HEADING = '| folder on one side only | side | because |'
const SIDES = ['server', 'web'] as const

export interface OneSided {
  /** Feature and folder: `templates/design`. */
  folder: string
  side: (typeof SIDES)[number]
}

/** The folders of features that both sides have, of paths like `server/features/templates/rendering`. */
export function findOneSided(folders: string[]): OneSided[] {
  const of = { server: new Map<string, Set<string>>(), web: new Map<string, Set<string>>() }
  for (const path of folders) {
    const [side, , feature = '', folder] = path.split('/')
    if (side !== 'server' && side !== 'web') continue
    const known = of[side].get(feature) ?? new Set()
    of[side].set(feature, folder === undefined ? known : known.add(folder))
  }
  return SIDES.flatMap((side) => {
    const other = of[side === 'server' ? 'web' : 'server']
    return [...of[side]].flatMap(([feature, own]) => {
      const twins = other.get(feature)
      return twins
        ? [...own].filter((name) => !twins.has(name)).map((name) => ({ folder: `${feature}/${name}`, side }))
        : []
    })
  })
}

/** The rows of the table in the document, each with its reason. */
export function readTable(document: string): (OneSided & { reason: string })[] {
  const lines = document.split('\n')
  const start = lines.indexOf(HEADING)
  if (start < 0) throw new Error(`${PATH} has no table "${HEADING}"`)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end < 0 ? undefined : end).map((line) => {
    const [folder = '', side = '', reason = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return { folder, side: side as OneSided['side'], reason }
  })
}

/** What is wrong: folders that nobody explained, and rows that explain nothing. */
export function findProblems(folders: string[], document: string): string[] {
  const found = findOneSided(folders)
  const table = readTable(document)
  const isSame = (a: OneSided) => (b: OneSided) => a.folder === b.folder && a.side === b.side
  return [
    ...found
      .filter((one) => !table.some((row) => isSame(one)(row) && row.reason !== ''))
      .map(
        ({ folder, side }) =>
          `${folder} is on the ${side} side only. Give both sides the same folder, or say why in ${PATH}.`,
      ),
    ...table
      .filter((row) => !found.some(isSame(row)))
      .map(({ folder }) => `${PATH} explains ${folder}, which is not on one side only.`),
  ]
}

if (import.meta.main) {
  const folders = new Set(
    globSync('{server,web}/features/**/*.*').map((file) => file.split('/').slice(0, -1).slice(0, 4).join('/')),
  )
  for (const problem of findProblems([...folders], readFileSync(PATH, 'utf8'))) {
    console.error(problem)
    process.exitCode = 1
  }
}
