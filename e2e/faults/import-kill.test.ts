import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ApiClient } from '#contracts/client.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { isLong } from '#server/testing/long.ts'
import { until } from '#server/testing/until.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const [ROWS, PEOPLE, KILLS] = isLong ? [60_000, 50_000, [5_000, 25_000, 45_000]] : [40_000, 30_000, [2_000, 18_000]]
const BAD_EVERY = 100

/** Waits until the import reached this; at any moment its parts add up. */
async function importThat(api: ApiClient, id: string, reached: (job: { state: string; total: number }) => boolean) {
  let seen = ''
  const look = async () => {
    const job = await api(imports.get, { params: { id } })
    expect(job.imported + job.updated + job.skipped).toBe(job.total)
    seen = `${job.state} at row ${job.total}`
    return reached(job) && job
  }
  return until(look, () => `the import: ${seen}`, 120, 10)
}

test('import: after each kill with SIGKILL it continues by itself and its counts add up', async () => {
  const dataDir = newDataFolder('import')
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: 'smtp://127.0.0.1:1' }
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const list = await api(lists.create, { body: { name: 'Everybody' } })
    const rows = Array.from({ length: ROWS }, (_, i) =>
      i % BAD_EVERY === 7 ? `nobody${i},x` : `person${i % PEOPLE}@example.com,Person ${i}`,
    )
    const form = new FormData()
    form.set('listId', list.id)
    form.set('file', new Blob([`email,name\r\n${rows.join('\r\n')}`]), 'people.csv')
    const { importId } = await api(contacts.import, { form })
    for (const mark of KILLS) {
      await importThat(api, importId, (job) => job.total >= mark)
      await server.stop('SIGKILL')
      server = startServer(environment)
      await server.ready
      api = await signIn(server.url)
    }
    const job = await importThat(api, importId, (job) => job.state === 'done' || job.state === 'failed')
    const bad = ROWS / BAD_EVERY
    const added = PEOPLE - PEOPLE / BAD_EVERY
    expect(job).toMatchObject({
      state: 'done',
      total: ROWS,
      imported: added,
      updated: ROWS - bad - added,
      skipped: bad,
      errorCount: bad,
    })
    expect(job.errors[0]).toEqual({ row: 9, reason: 'the email address has no @' })
    expect(await api(lists.get, { params: { id: list.id } })).toMatchObject({ contacts: added })
    expect((await api(contacts.list, { query: { q: 'person123@example.com' } })).items).toMatchObject([
      { name: `Person ${PEOPLE + 123}` },
    ])
  } finally {
    await server.stop('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 600_000)
