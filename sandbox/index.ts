import type { GoogleSettings } from '#server/adapters/google/sign-in.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { type MailSandbox, startMailSandbox } from './mail/mail-sandbox.ts'
import { startIssuer } from './oidc/oidc-sandbox.ts'

/** The local stand-ins for outside services, running: one for each that is not configured. */
export interface Sandbox {
  mail: MailSandbox | undefined
  google: GoogleSettings | undefined
  stop(): Promise<void>
}

/** Starts what stands in for the mail server and for Google, on 127.0.0.1. In production nothing stands in for anything. */
export async function startSandbox(config: Config, log: Log): Promise<Sandbox> {
  if (config.production) return { mail: undefined, google: undefined, stop: async () => undefined }
  const mail = config.smtpUrl ? undefined : await startMailSandbox(config, log)
  try {
    // A worker signs nobody in.
    const issuer = config.google || config.role === 'worker' ? undefined : await startIssuer(config, log)
    return {
      mail,
      google: issuer?.settings,
      async stop() {
        await issuer?.stop()
        await mail?.stop()
      },
    }
  } catch (error) {
    await mail?.stop()
    throw error
  }
}
