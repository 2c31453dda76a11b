import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VARIABLES } from './environment.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('configuration: every variable is in .env.example and docs/configuration.md, and no other', () => {
  const examples = [...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)
  const rows = [...read('docs/configuration.md').matchAll(/^\| ([A-Z_]+) +\|/gm)].map(([, name]) => name)
  expect(examples.sort()).toEqual(VARIABLES.toSorted())
  expect(rows.sort()).toEqual(VARIABLES.toSorted())
})

test('.nvmrc: the file names the major version of the pinned Node', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } }
  expect(read('.nvmrc').trim()).toBe(dependencies.node.split('.')[0])
})
