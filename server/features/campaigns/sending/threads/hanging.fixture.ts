/** A sending thread that hands one message over, begins to make another one and never comes back. */
import { parentPort, workerData } from 'node:worker_threads'
import { openJournal } from '#server/engine/index.ts'
import { beat, hold, type Pulse } from './watchdog.ts'

const { pulse, folder, claimId, handed, held } = workerData as {
  pulse: Pulse
  folder: string
  claimId: string
  handed: string
  held: string
}
beat(pulse)
await openJournal(folder, claimId).handing(handed)
hold(pulse, claimId, held)
parentPort?.postMessage('holding')
for (;;);
