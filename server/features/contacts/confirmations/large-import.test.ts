import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, testApp } from '#server/testing/app.ts'
import { isLong } from '#server/testing/long.ts'
import { until } from '#server/testing/until.ts'

const ROWS = 200_000
const PER_SECOND = 5
/**
 * What the process may take beyond what it had, in bytes: the threads that look into the file and import it have 240 MiB of heap each,
 * however long the file is, and this test holds the file.
 */
const MAX_MORE_MEMORY = 550_000_000

/** Follows the memory of this process, in which the server runs with its threads. Returns what ends it and gives the peak in bytes. */
function watchMemory(): () => number {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  look()
  const timer = setInterval(look, 200)
  return () => {
    clearInterval(timer)
    return peak
  }
}

test.runIf(isLong)(
  'confirmation: 200,000 people imported into a double opt-in list are announced before, and asked at the pace of the sender',
  async () => {
    await using t = await testApp({ intervals: { confirmationEmailsMs: 1_000 } })
    const person = await t.person()
    const { id: listId } = await person.api(lists.create, { body: { name: 'Garden news', optin: 'double' } })
    const [sender] = (await person.api(senders.list, { query: {} })).items
    await person.api(senders.update, {
      params: { id: sender?.id ?? '' },
      body: { limits: { perDay: 100_000, perSecond: PER_SECOND } },
    })
    const buildForm = (rows: number, fields: Record<string, string> = {}) => {
      const people = Array.from({ length: rows }, (_, n) => `p${n}@large.example,Person ${n}\n`)
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('file', new File([`email,name\n${people.join('')}`], 'people.csv'))
      return form
    }
    const importAll = async (who: Person, form: FormData) => {
      const { importId } = await who.api(contacts.import, { form })
      return until(
        async () => {
          const job = await who.api(imports.get, { params: { id: importId } })
          return job.state === 'done' || job.state === 'failed' ? job : undefined
        },
        'the end of the import',
        300,
      )
    }

    const preview = await person.api(contacts.importPreview, { form: buildForm(ROWS) })
    expect(preview.confirmations).toMatchObject({ perSecond: PER_SECOND, perDay: 100_000, queued: 0, problem: null })
    expect(preview.confirmations?.monthLeft).toBeGreaterThan(0)
    console.log('notice', JSON.stringify({ rows: preview.total, ...preview.confirmations }))
    expect(t.sink.received).toEqual([])

    const other = await t.person()
    const before = process.memoryUsage.rss()
    const endMemory = watchMemory()
    const begun = performance.now()
    const done = await importAll(person, buildForm(ROWS, { listId }))
    expect(done).toMatchObject({ state: 'done', imported: ROWS, errorCount: 0 })
    const seconds = (performance.now() - begun) / 1_000
    const during = t.sink.received.length
    await t.sink.waitForCount(during + 60)
    const asked = t.sink.received.filter(({ to }) => to[0]?.endsWith('@large.example'))
    expect(asked.filter(({ at }, n) => at < begun + 1_000 * Math.floor(n / PER_SECOND))).toEqual([])
    expect(new Set(asked.map(({ to }) => to[0])).size).toBe(asked.length)

    // Who asks by themselves meanwhile does not wait for them.
    const own = await other.api(lists.create, { body: { name: 'Other news', optin: 'double' } })
    await other.api(contacts.create, { body: { email: 'other@small.example', lists: [own.id] } })
    await t.sink.mailTo('other@small.example')
    expect(await person.api(lists.get, { params: { id: listId } })).toMatchObject({ contacts: 0, unconfirmed: ROWS })
    // The others wait as members of the list, not as requests.
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from confirmations where workspace_id = ${person.workspaceId} and next_mail = 'first'`.execute(
      t.services.db,
    )
    expect(rows[0]?.n).toBeLessThanOrEqual(PER_SECOND)
    const more = endMemory() - before
    const sent = asked.length
    console.log(`imported in ${seconds.toFixed(0)} s, ${sent} asked by then, ${(more / 1e6).toFixed(0)} MB more memory`)
    expect(more).toBeLessThan(MAX_MORE_MEMORY)
  },
)
