/** Refuses titles of tests that do not name their subject first: "import: a row …". Prints each, and exits with 1 if there is one. */
import { globSync, readFileSync } from 'node:fs'

// A call of vitest at the start of a line, where biome puts it. The title of `test.each(…)('…')` comes after its table.
const CALL = /^ *(?:test|it)(?:\.\w+)*(?:<.*>)?\(/gm
const TITLE = /(?:^|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/
const FORM = /^[^:]{2,40}: \S/

/** The titles of a source's tests, in the order of its lines; undefined where a title is not written as a text. */
export function findTitles(source: string): { title: string | undefined; line: number }[] {
  const calls = [...source.matchAll(CALL)]
  return calls.map(({ 0: call, index }, number) => ({
    title: TITLE.exec(source.slice(index + call.length, calls[number + 1]?.index))?.[2],
    line: source.slice(0, index).split('\n').length,
  }))
}

/** What is wrong with the titles of a file, a line each. */
export function findProblems(file: string, source: string): string[] {
  return findTitles(source).flatMap(({ title, line }) => {
    if (title === undefined) return [`${file}:${line} has a title that is not a text: write it where the test is`]
    return FORM.test(title) ? [] : [`${file}:${line} “${title}”: write "subject: what is done and what is expected"`]
  })
}

if (import.meta.main) {
  const files = globSync('{bench,contracts,e2e,migrations,sandbox,scripts,server,web}/**/*.test.{ts,tsx}').sort()
  const problems = files.flatMap((file) => findProblems(file, readFileSync(file, 'utf8')))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
