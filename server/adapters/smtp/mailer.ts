import { readSmtpUrl } from './smtp-url.ts'

export interface Email {
  to: string
  subject: string
  text: string
  html?: string
  /** Where a reply goes, if not to the sender. */
  replyTo?: string
}

/** Sends the product's own mail: verification, password reset, notices. */
export interface Mailer {
  /** Resolves when the mail server took it; throws with the server's words. */
  send(email: Email): Promise<void>
  /** Connects and signs in as an email would, within 5 seconds a step; throws with the server's words. */
  check(): Promise<void>
  close(): void
}

/** The transport of SMTP_URL; credentials wait for a connection whose certificate was checked. */
async function createTransport(smtpUrl: string, limits: object) {
  // Threads know the mailer, and send nothing by it.
  const { default: nodemailer } = await import('nodemailer')
  const { url, secure } = readSmtpUrl(smtpUrl)
  const isLax = secure === 'opportunistic' && url.username !== ''
  return nodemailer.createTransport({
    url: url.href,
    requireTLS: secure === 'starttls',
    ...(isLax && { tls: { rejectUnauthorized: false } }),
    ...limits,
  } as object)
}

/** The product's own mail over SMTP. `smtpUrl` undefined: every send fails with a text that says so. */
export function createMailer(smtpUrl: string | undefined, from: string): Mailer {
  const options = {
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: 15_000,
    socketTimeout: 60_000,
  }
  const missing = 'no mail server is configured (SMTP_URL)'
  let transport: ReturnType<typeof createTransport> | undefined
  return {
    async send(email) {
      if (!smtpUrl) throw new Error(missing)
      transport ??= createTransport(smtpUrl, options)
      await (await transport).sendMail({
        ...options,
        from,
        to: { name: '', address: email.to },
        subject: email.subject,
        text: email.text,
        ...(email.html && { html: email.html }),
        ...(email.replyTo && { replyTo: { name: '', address: email.replyTo } }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      } as object)
    },
    async check() {
      if (!smtpUrl) throw new Error(missing)
      const limits = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 5_000 }
      const once = await createTransport(smtpUrl, limits)
      await once.verify().finally(() => once.close())
    },
    close: () => void transport?.then((transport) => transport.close()),
  }
}
