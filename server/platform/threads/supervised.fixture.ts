/** A thread for tests: says that it started, and does what it is told. */
import { parentPort, workerData } from 'node:worker_threads'

parentPort?.postMessage(`started ${workerData.word}`)
parentPort?.on('message', (message: string) => {
  if (message === 'stop') parentPort?.close()
  else if (message === 'queue') parentPort?.postMessage({ name: 'test.job', payload: { n: 1 } })
  else throw new Error(message)
})
