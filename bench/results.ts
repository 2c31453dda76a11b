/** bench/RESULTS.md: a section for each benchmark, written when it runs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'

/** One line a benchmark reported, as `report` of measure.ts notes it. */
export interface ReportedLine {
  name: string
  value: string
  ratio?: { of: number; bar: number }
}

/** What one benchmark said in each of its runs, and what it printed in the last one. */
export interface Measured {
  name: string
  /** The day, as in 2026-11-25. */
  date: string
  commit: string
  machine: string
  /** What was measured and beside what, with their versions. */
  versions: string
  runs: ReportedLine[][]
  printed: string
}

const FILE = 'bench/RESULTS.md'
const HEAD = `# Benchmark results

Written by \`npm run bench\`: each section by its own benchmark, when it last ran. A figure stands beside its rival in the same
run. With \`npm run bench -- NAME --runs N\` it is the middle of N runs, with the lowest and the highest.
`

/** The middle of the values; the lower one of two. */
const findMiddle = <T>(values: readonly T[]): T | undefined => values[Math.floor((values.length - 1) / 2)]

const inCell = (text: string) => text.trim().replaceAll('|', '\\|')

/** A line of the table: the middle of all runs by its ratio, where it has one, else by the first number of its value. */
function toRow(lines: readonly ReportedLine[]): string {
  const readNumber = ({ value }: ReportedLine) => Number(/[\d.]+/.exec(value)?.[0] ?? 0)
  const sortBy = (weigh: (line: ReportedLine) => number) => [...lines].sort((a, b) => weigh(a) - weigh(b))
  const middle = findMiddle(sortBy((line) => line.ratio?.of ?? readNumber(line)))
  // The rival of each run is another one, so the best ratio need not be the highest figure.
  const sorted = sortBy(readNumber)
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (!middle || !least || !most) return ''
  const spread = least.value === most.value ? '' : `${inCell(least.value)} to ${inCell(most.value)}`
  const { ratio } = middle
  const verdict = ratio ? `${ratio.bar} (${ratio.of >= ratio.bar ? 'reached' : 'missed'})` : ''
  return `| ${inCell(middle.name)} | ${inCell(middle.value)} | ${spread} | ${ratio ? ratio.of.toFixed(2) : ''} | ${verdict} |`
}

/** A section of RESULTS.md, its heading included. */
export function toSection({ name, date, commit, machine, versions, runs, printed }: Measured): string {
  const times = runs.length === 1 ? 'one run' : `${runs.length} runs`
  const intro = `## ${name}\n\n\`npm run bench ${name}\`, ${date}, ${times} of ${commit}. ${machine}. ${versions}.\n`
  const rows = (runs[0] ?? []).map((line, at) =>
    toRow(runs.flatMap((run) => (run[at]?.name === line.name ? [run[at]] : []))),
  )
  if (rows.length === 0) return `${intro}\n\`\`\`\n${printed.trim()}\n\`\`\`\n`
  return `${intro}\n| measured | result | spread | ratio | bar |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`
}

/** The file with one section in place of the one of the same name; sections are in the order of their names. */
export function withSection(file: string, name: string, section: string): string {
  const sections = new Map(
    file
      .split(/^(?=## )/m)
      .filter((part) => part.startsWith('## '))
      .map((part) => [/^## (.*)/.exec(part)?.[1] ?? '', part.trim()]),
  )
  sections.set(name, section.trim())
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
  return `${[HEAD.trim(), ...sorted].join('\n\n')}\n`
}

/** Such as "2 cores of Intel Xeon, 24 GB, Linux 6.1". */
export const describeMachine = (): string =>
  `${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}`

/** Writes the section of one benchmark into bench/RESULTS.md. */
export function saveSection(measured: Measured): void {
  const file = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  writeFileSync(FILE, withSection(file, measured.name, toSection(measured)))
}
