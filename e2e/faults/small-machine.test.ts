import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { makeMemoryCgroup } from '../support/memory-cgroup.ts'
import { sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, startServer } from '../support/server-process.ts'
import { signUp } from '../support/sign-up.ts'

const LIMIT_MB = 512
// It takes 40 seconds: with fewer people the memory is nearly the same, and the short run has no time for it.
const [PEOPLE, RECIPIENTS] = [10_000, 5_000]

test.skipIf(!isLong)(`small machine: ${LIMIT_MB} MB are enough to sign up, import and send`, async ({ skip }) => {
  const cgroup = makeMemoryCgroup(LIMIT_MB)
  if (typeof cgroup === 'string') return skip(cgroup)
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-small-'))
  const server = startServer({ DATA_DIR: dataDir, PORT: String(await freePort()) }, { prefix: cgroup.prefix })
  try {
    await server.ready
    const api = await signUp(server.url)
    await uploadPeople(api, PEOPLE)
    const id = await sendTo(api, await uploadPeople(api, RECIPIENTS))
    expect(await untilSent(api, id, 120)).toMatchObject({ state: 'sent', counts: { sent: RECIPIENTS } })
    expect(cgroup.kills()).toBe(0)
    expect(await server.stop('SIGTERM')).toBe(0)
    console.log(`the most memory, cached files included: ${cgroup.peak()} MB`)
  } finally {
    await server.stop('SIGKILL')
    await cgroup.remove()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
})
