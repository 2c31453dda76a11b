/**
 * Refuses writes to a table by a feature, or by a trigger on the table of a feature, that does not own it
 * (migrations/owners.ts). Prints each, and exits with 1 if there is one.
 */
import { globSync, readFileSync } from 'node:fs'
import { ALLOWED, OWNERS, SCHEMAS, TRIGGERS } from '../../migrations/owners.ts'

const TESTS = /\.(test|fixture)\.ts$|\/testing(\.ts$|\/)/
const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)
const owners = new Map(Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table, owner])))
const tableOwners = (table: string) => owners.get(table) ?? SCHEMAS[table.split('.')[0] ?? '']

// Kysely's calls. An unnamed table is written by a variable.
const KYSELY = /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*(?:'(?<name>\w+)|(?<variable>[^'\s]))/g

// Statements in a template of `sql` or a string of pg. `for update`, `on conflict do update set` and prose are none.
const NAME = String.raw`(?:only\s+)?(?:(?:"?public"?\.)?"?(?<name>[a-z][\w.]*)"?|(?<variable>\$\{))`
const STATEMENTS = [
  String.raw`\b(?:insert|merge)\s+into\s+${NAME}`,
  String.raw`\bdelete\s+from\s+${NAME}`,
  String.raw`\bupdate\s+${NAME}(?:[^}\s]*\})?(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b`,
  String.raw`\bcopy\s+${NAME}(?:[^}\s]*\})?\s*(?:\([^)]*\)\s*)?from\s+(?:stdin|program|['$])`,
].map((pattern) => new RegExp(pattern, 'gi'))

// The one statement with several tables, and so short that only the end of its string tells it from prose.
const TRUNCATE =
  /\btruncate\s+(?:table\s+)?(?:(?<names>[a-z]\w*(?:\s*,\s*[a-z]\w*)*)\s*(?:cascade|restart|[`'";])|\$\{)/gi

// What a comment says is no statement; its lines still count.
const COMMENT = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)/gm

export interface Write {
  /** As the database calls it; undefined: the table comes from a variable. */
  table: string | undefined
  line: number
}

/** The tables a source writes, in the order of its lines. */
export function findWrites(text: string): Write[] {
  const source = text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '))
  const findLine = (index: number) => source.slice(0, index).split('\n').length
  const kysely = [...source.matchAll(KYSELY)].map(({ index, groups }) => ({
    table: groups?.name && toSnakeCase(groups.name),
    line: findLine(index),
  }))
  const statements = STATEMENTS.flatMap((pattern) => [...source.matchAll(pattern)]).map(({ index, groups }) => ({
    table: groups?.name?.toLowerCase(),
    line: findLine(index),
  }))
  const truncated = [...source.matchAll(TRUNCATE)].flatMap(({ index, groups }) =>
    (groups?.names?.toLowerCase().split(/\s*,\s*/) ?? [undefined]).map((table) => ({ table, line: findLine(index) })),
  )
  return [...kysely, ...statements, ...truncated].sort((a, b) => a.line - b.line)
}

/** The feature a file belongs to; a script belongs to none. */
export function findFeature(file: string): string {
  if (!file.startsWith('server/')) return file.split('/')[0] ?? ''
  return /^server\/features\/([^/]+)\//.exec(file)?.[1] ?? 'platform'
}

/** What is wrong with the writes of a file, a line each. */
export function findProblems(file: string, source: string): string[] {
  const feature = findFeature(file)
  const allowed = ALLOWED[file]?.tables ?? []
  return findWrites(source).flatMap(({ table, line }) => {
    const owner = table === undefined ? undefined : tableOwners(table)
    if (owner === feature || allowed.includes(table ?? '*')) return []
    if (table === undefined) return [`${file}:${line} writes a table that a variable names`]
    if (owner === undefined) return [`${file}:${line} writes ${table}, which has no owner in migrations/owners.ts`]
    return [`${file}:${line} (${feature}) writes ${table} of ${owner}: call a function of ${owner} instead`]
  })
}

const FUNCTION = /\bcreate\s+(?:or\s+replace\s+)?function\s+(\w+)[^$]*\$(\w*)\$(.*?)\$\2\$/gs
const TRIGGER = /\bcreate\s+(?:or\s+replace\s+)?trigger\s+(\w+)[^;]*?\son\s+(\w+)[^;]*?\bexecute\s+function\s+(\w+)/g

/** What is wrong with the functions of the migrations, given as one text, a line each. `allowed` is as TRIGGERS. */
export function triggerProblems(migrations: string, allowed = TRIGGERS): string[] {
  const found = [...migrations.matchAll(FUNCTION)]
  const functions = new Map(found.map(([, name = '', , body = '']) => [name, findWrites(body)]))
  const triggers = [...migrations.matchAll(TRIGGER)].map(([, name = '', on = '', calls = '']) => ({ name, on, calls }))
  const called = new Set(triggers.map(({ calls }) => calls))
  const foreign = triggers.flatMap(({ name, on, calls }) =>
    (functions.get(calls) ?? [])
      .map(({ table = '*' }) => table)
      .filter((table) => table === '*' || tableOwners(table) !== tableOwners(on))
      .map((table) => ({ name, on, table })),
  )
  const problems = foreign
    .filter(({ name, table }) => !allowed[name]?.tables.includes(table))
    .map(({ name, on, table }) =>
      table === '*'
        ? `trigger ${name} writes a table that a variable names`
        : `trigger ${name} on ${on} of ${tableOwners(on)} writes ${table} of ${tableOwners(table)}: call a function of ${tableOwners(table)}, or list it in TRIGGERS in migrations/owners.ts`,
    )
  const loose = [...functions]
    .filter(([name, writes]) => writes.length > 0 && !called.has(name))
    .map(([name]) => `function ${name} writes tables, but no trigger calls it`)
  const unneeded = Object.entries(allowed).flatMap(([name, { tables }]) =>
    tables
      .filter((table) => !foreign.some((write) => write.name === name && write.table === table))
      .map((table) => `trigger ${name} does not write ${table}: take it off TRIGGERS in migrations/owners.ts`),
  )
  return [...problems, ...loose, ...unneeded]
}

/** Tables that are allowed to a file that does not write them any more. */
function unused(files: Map<string, string>): string[] {
  return Object.entries(ALLOWED).flatMap(([file, { tables }]) => {
    const written = new Set(findWrites(files.get(file) ?? '').map(({ table }) => table ?? '*'))
    return tables
      .filter((table) => !written.has(table))
      .map((table) => `${file} does not write ${table}: take it off ALLOWED in migrations/owners.ts`)
  })
}

if (import.meta.main) {
  const names = globSync('{server,scripts}/**/*.ts').filter((file) => !TESTS.test(file))
  const files = new Map(names.sort().map((file) => [file, readFileSync(file, 'utf8')]))
  const migrations = globSync('migrations/*.sql').sort()
  const problems = [
    ...[...files].flatMap(([file, source]) => findProblems(file, source)),
    ...unused(files),
    ...triggerProblems(migrations.map((file) => readFileSync(file, 'utf8')).join('\n')),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
