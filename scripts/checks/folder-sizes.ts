/** Refuses folders of more than MAX_FILES files, which a newcomer no longer reads. Prints each, and exits with 1 if there is one. */
import { globSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_FILES = 25
/** Folders that are rows, and are read by their number or name. */
const ALLOWED = new Map([
  ['docs/decisions', 'one numbered file a decision'],
  ['migrations', 'one numbered file a change of the schema'],
  ['server/engine/bounces/messages', 'one sample a message'],
])

/** How many files stand in each folder itself, by its path. */
function countFiles(files: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return counts
}

if (import.meta.main) {
  const files = globSync('{bench,contracts,docs,e2e,migrations,sandbox,scripts,server,web}/**/*', {
    withFileTypes: true,
  }).flatMap((entry) => (entry.isFile() ? [`${entry.parentPath}/${entry.name}`] : []))
  for (const [folder, count] of countFiles(files)) {
    const path = folder.replace(`${process.cwd()}/`, '')
    if (count <= MAX_FILES || ALLOWED.has(path)) continue
    console.error(`${path} holds ${count} files; at most ${MAX_FILES}. Group them in folders.`)
    process.exitCode = 1
  }
}
