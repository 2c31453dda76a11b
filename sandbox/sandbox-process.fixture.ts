import { createLog } from '#server/platform/log.ts'
import { startMailSandbox } from './mail/mail-sandbox.ts'

/** A process with nothing but a sandbox, to be killed: `node sandbox-process.fixture.ts DATA_DIR` prints its address. */
const box = await startMailSandbox(
  { dataDir: process.argv[2] ?? '', secretKey: 'a key of this test' },
  createLog({ logLevel: 'silent' }),
)
console.log(box.smtpUrl)
