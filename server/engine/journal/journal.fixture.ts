/** A process to be killed: a thousand messages answered, three in flight. */
import { openJournal } from './journal.ts'

const journal = openJournal(process.argv[2] as string, 'killed')
for (let i = 0; i < 1000; i++) {
  await journal.handing(`${i}`)
  journal.replied(`${i}`, {
    kind: 'sent',
    code: 250,
    enhanced: null,
    response: 'ok',
    class: null,
    at: new Date().toISOString(),
  })
}
await Promise.all(['a1', 'a2', 'a3'].map((id) => journal.handing(id)))
process.send?.(['a1', 'a2', 'a3'])
setInterval(() => {}, 1000)
