/**
 * Refuses writes to a table by a feature, or by a trigger on the table of a feature, that does not own it
 * (migrations/owners.ts). Prints each, and exits with 1 if there is one.
 */
import { globSync, readFileSync } from 'node:fs'
import { ALLOWED, OWNERS, TRIGGERS } from '../migrations/owners.ts'

const TESTS = /\.(test|fixture)\.ts$|\/testing(\.ts$|\/)/
const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)
const ownerOf = new Map(Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table, owner])))

// Kysely's calls, and statements in a template of `sql` or a string of pg. An unnamed table is written by a variable.
const KYSELY = /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*(?:'(?<name>\w+)|(?<variable>[^'\s]))/g
const SQL =
  /\b(?:insert\s+into|update|delete\s+from|truncate)\s+(?:(?<name>[a-z][a-z_]*)(?:\s+(?:as\s+)?(?!set\b)\w+)?(?<set>\s+set\b)?|(?<variable>\$\{))/g

export interface Write {
  /** As the database calls it; undefined: the table comes from a variable. */
  table: string | undefined
  line: number
}

/** The tables a source writes, in the order of its lines. */
export function findWrites(source: string): Write[] {
  const lineOf = (index: number) => source.slice(0, index).split('\n').length
  const kysely = [...source.matchAll(KYSELY)].map(({ index, groups }) => ({
    table: groups?.name && toSnakeCase(groups.name),
    line: lineOf(index),
  }))
  const statements = [...source.matchAll(SQL)]
    // `for update`, `on conflict do update set`, and prose are no statements.
    .filter(({ groups }) => groups?.variable || ownerOf.has(groups?.name ?? ''))
    .filter(({ 0: text, groups }) => !text.startsWith('update') || groups?.set || groups?.variable)
    .map(({ index, groups }) => ({ table: groups?.name, line: lineOf(index) }))
  return [...kysely, ...statements].sort((a, b) => a.line - b.line)
}

/** The feature a file of the server belongs to. */
export const featureOf = (file: string): string => /^server\/features\/([^/]+)\//.exec(file)?.[1] ?? 'platform'

/** What is wrong with the writes of a file, a line each. */
export function problemsOf(file: string, source: string): string[] {
  const feature = featureOf(file)
  const allowed = ALLOWED[file]?.tables ?? []
  return findWrites(source).flatMap(({ table, line }) => {
    const owner = table === undefined ? undefined : ownerOf.get(table)
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
      .filter((table) => table === '*' || ownerOf.get(table) !== ownerOf.get(on))
      .map((table) => ({ name, on, table })),
  )
  const problems = foreign
    .filter(({ name, table }) => !allowed[name]?.tables.includes(table))
    .map(({ name, on, table }) =>
      table === '*'
        ? `trigger ${name} writes a table that a variable names`
        : `trigger ${name} on ${on} of ${ownerOf.get(on)} writes ${table} of ${ownerOf.get(table)}: call a function of ${ownerOf.get(table)}, or list it in TRIGGERS in migrations/owners.ts`,
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
  const names = globSync('server/**/*.ts').filter((file) => !TESTS.test(file))
  const files = new Map(names.sort().map((file) => [file, readFileSync(file, 'utf8')]))
  const migrations = globSync('migrations/*.sql').sort()
  const problems = [
    ...[...files].flatMap(([file, source]) => problemsOf(file, source)),
    ...unused(files),
    ...triggerProblems(migrations.map((file) => readFileSync(file, 'utf8')).join('\n')),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
