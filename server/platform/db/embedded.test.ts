import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('code of the database is never freed while it runs: freeing it can end the process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-embedded-'))
  const fixture = fileURLToPath(new URL('embedded.fixture.ts', import.meta.url))
  const { stdout, stderr } = spawnSync(process.execPath, ['--trace-wasm-code-gc', fixture, folder], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true, force: true })
  expect(stdout + stderr).toContain('rows 20000')
  expect(stdout).not.toContain('[wasm-gc]')
})
