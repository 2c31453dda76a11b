/** The thread of one import: reads the file and keeps its rows, with a connection and a heap of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSingle } from '#server/platform/db/copy-in.ts'
import { createLog } from '#server/platform/log.ts'
import { workOff } from './import-run.ts'
import type { ThreadData } from './import-start.ts'

const { connection, config, workspaceId, id } = workerData as ThreadData
const log = createLog(config)
const { db, copyIn } = openSingle(connection, (error) =>
  log.error({ err: error }, 'the database connection of an import broke'),
)
const stop = new AbortController()
parentPort?.on('message', () => stop.abort())
const onProgress = (rows: number) => parentPort?.postMessage(rows)
try {
  await workOff({ db, log, config, copyIn, onProgress }, workspaceId, id, stop.signal)
} finally {
  await db.destroy()
  parentPort?.close()
}
