/** The files by which Postlark is deployed: what can be told of them without a container runtime, systemd or Helm. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { VARIABLES } from '#server/platform/environment.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { version, scripts } = JSON.parse(read('package.json')) as { version: string; scripts: { start: string } }
/** What Node and the system read, beside the server's own variables: folders, and what the C library is told. */
const SYSTEM_FOLDERS = ['TMPDIR', 'NODE_COMPILE_CACHE']
const SYSTEM_VARIABLES = [...SYSTEM_FOLDERS, 'MALLOC_ARENA_MAX']
const isKnown = (name: string) => VARIABLES.includes(name) || SYSTEM_VARIABLES.includes(name)

// The schema of compose-go 2.4.5 (github.com/compose-spec/compose-go, Apache-2.0), formatted.
const { $schema: _, ...schema } = JSON.parse(read('scripts/checks/compose-spec.json')) as Record<string, unknown>
const ComposeFile = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'draft-7' })

interface ComposeService {
  image: string
  environment: Record<string, string>
  read_only?: boolean
  stop_grace_period?: string
  volumes: string[]
  env_file?: unknown
}

test.each(['compose.yaml', 'deploy/compose.postgres.yaml'])(
  'compose: %s is valid, read-only, and sets known variables',
  (path) => {
    const file = parse(read(path), { merge: true }) as { services: Record<string, ComposeService> }
    expect(ComposeFile.safeParse(file).error?.issues).toBeUndefined()
    const misspelled = { services: { postlark: { image: 'postlark', readonly: true } } }
    expect(ComposeFile.safeParse(misspelled).success).toBe(false)
    const ours = Object.values(file.services).filter(({ image }) => image.startsWith('postlark:'))
    expect(ours.length).toBeGreaterThan(0)
    for (const service of ours) {
      expect(Object.keys(service.environment).filter((name) => !isKnown(name))).toEqual([])
      // The server takes 30 seconds to stop at most.
      expect(service).toMatchObject({ read_only: true, stop_grace_period: '45s', volumes: ['data:/data'] })
      // Every variable can be set in .env, but for what the port and the volume depend on.
      expect(service.env_file).toEqual([{ path: '.env', required: false }])
      expect(service.environment).toMatchObject({ HOST: '0.0.0.0', PORT: '3000', DATA_DIR: '/data' })
    }
  },
)

/** The instructions of the last stage of the Dockerfile. */
function readFinalStage(): string[] {
  const text = read('Dockerfile').replaceAll('\\\n', ' ')
  return text
    .slice(text.lastIndexOf('\nFROM '))
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
}

test('dockerfile: the final stage runs as another user, is checked, and starts as npm start does', () => {
  const stage = readFinalStage()
  const find = (name: string) =>
    stage.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  expect(find('USER')).toEqual(['10001:10001'])
  expect(stage.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
    stage.findIndex((line) => line.startsWith('RUN')),
  )
  expect(find('HEALTHCHECK')).toEqual([expect.stringContaining('/healthz')])
  const [, command = ''] = /exec (?:\.\/)?(node_modules\/node\/bin\/node .*)$/.exec(scripts.start) ?? []
  expect((JSON.parse(find('CMD')[0] ?? '[]') as string[]).join(' ')).toBe(command)
  const variables = (find('ENV')[0] ?? '')
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string])
  expect(variables.filter(([name]) => !isKnown(name))).toEqual([])
  // All that is written is in the volume.
  for (const name of ['DATA_DIR', ...SYSTEM_FOLDERS])
    expect(Object.fromEntries(variables)[name]).toMatch(/^\/data(\/|$)/)
  expect(find('VOLUME')).toEqual(['["/data"]'])
  expect(find('ADD')).toEqual([])
  expect(stage.join('\n')).not.toMatch(/:latest|apt-get|SECRET_KEY|PASSWORD/)
})

test('dockerfile: the build gets every file that it reads, and no test', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  expect(lines[0]).toBe('*')
  const inputs = [...read('scripts/prepare.mjs').matchAll(/\binputs: \[([^\]]*)\]/g)].map(([, list]) => list)
  const [, sources = ''] = /const SOURCES = \[([^\]]*)\]/.exec(read('scripts/image.ts')) ?? []
  const [, files = ''] = /const FILES = \[([^\]]*)\]/.exec(read('scripts/image.ts')) ?? []
  const needed = [...`${inputs.join()}${sources}${files}`.matchAll(/['`]([\w.-]+)/g)].map(([, name]) => name)
  // The server and the pages are built, each from inputs of its own.
  expect(inputs.length).toBe(2)
  expect(needed).toEqual(expect.arrayContaining(['server', 'web', 'public', 'migrations', 'CHANGELOG.md']))
  expect(needed.filter((name = '') => !allowed.includes(name))).toEqual([])
})

test('systemd: the unit starts as npm start does, sets known variables, and outlasts a stop', () => {
  const unit = read('deploy/systemd/postlark.service')
  const [, command = ''] = /exec \.\/(node_modules.*)$/.exec(scripts.start) ?? []
  expect(unit).toContain(`ExecStart=/opt/postlark/${command}\n`)
  const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name)
  expect(names.filter((name = '') => !isKnown(name))).toEqual([])
  for (const line of [
    'User=postlark',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'KillMode=mixed',
    'TimeoutStopSec=45',
  ])
    expect(unit).toContain(`\n${line}\n`)
})

test('helm: the chart has the version of the package, and its templates name values and variables that exist', () => {
  const folder = 'deploy/helm/postlark'
  expect(parse(read(`${folder}/Chart.yaml`))).toMatchObject({ name: 'postlark', appVersion: version })
  const values = parse(read(`${folder}/values.yaml`)) as Record<string, unknown>
  const templates = globSync(`${folder}/templates/*`, { cwd: ROOT }).map((path) => read(path))
  expect(templates.length).toBeGreaterThan(5)
  const hasValue = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values) !==
    undefined
  const paths = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path))
  expect(paths.filter((path) => !hasValue(path))).toEqual([])
  const names = templates.flatMap((text) =>
    [...text.matchAll(/\b([A-Z]+_[A-Z_]+|ROLE)\b/g)].map(([, name = '']) => name),
  )
  expect(names.filter((name) => !isKnown(name))).toEqual([])
})
