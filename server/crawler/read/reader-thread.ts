/** The reading thread: a hostile page may take seconds, and answers of the same process must not wait for it. */
import { parentPort } from 'node:worker_threads'
import { digestPage, digestSiteMap } from './digest.ts'
import type { Reading, ReadingAnswer } from './reader.ts'

function answer({ task, siteMap }: Reading): ReadingAnswer {
  try {
    return { value: siteMap === undefined ? digestPage(task) : digestSiteMap(task, siteMap) }
  } catch (error) {
    return { failure: (error as Error).message }
  }
}

parentPort?.on('message', (reading: Reading) => parentPort?.postMessage(answer(reading)))
parentPort?.postMessage({ ready: true } satisfies ReadingAnswer)
