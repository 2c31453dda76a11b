import { createLog } from '#server/platform/log.ts'
import { startSandbox } from './index.ts'

/** A process with nothing but a sandbox, to be killed: `node sandbox-process.fixture.ts DATA_DIR` prints its address. */
const box = await startSandbox({ dataDir: process.argv[2] ?? '' }, createLog({ logLevel: 'silent' }))
console.log(box.smtpUrl)
