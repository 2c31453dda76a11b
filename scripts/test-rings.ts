/** Which ring a test file belongs to: told by what it imports, so that no list of names has to be maintained. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** A test that imports one of these starts the product or a database. */
const STARTERS = ['server/testing/app.ts', 'server/testing/database.ts'].map((file) => join(ROOT, file))
/** An import of a file for tests that is there at run time; a type is not. */
const IMPORTS = /^(?:import (?!type )|\} from )(?:[^'\n]* from )?'([^'\n]*testing[^'\n]*)'/gm

function startsProduct(file: string): boolean {
  if (STARTERS.includes(file)) return true
  return [...readFileSync(file, 'utf8').matchAll(IMPORTS)].some(([, name = '']) =>
    startsProduct(name.startsWith('#') ? join(ROOT, name.slice(1)) : join(dirname(file), name)),
  )
}

/** The test files outside e2e/, relative to the root: `unit` start neither the product nor a database, `integration` do. */
export function findRings(): { unit: string[]; integration: string[] } {
  const files = globSync('{bench,contracts,server,sandbox,scripts,web}/**/*.test.{ts,tsx}', { cwd: ROOT }).sort()
  const integration = files.filter((file) => startsProduct(join(ROOT, file)))
  return { unit: files.filter((file) => !integration.includes(file)), integration }
}
