import nodemailer from 'nodemailer'

export interface Letter {
  to: string
  subject: string
  text: string
  html?: string
}

/** Sends the product's own mail: verification, password reset, notices. */
export interface Mailer {
  /** Resolves when the mail server took it; throws with the server's words. */
  send(letter: Letter): Promise<void>
  close(): void
}

/** The product's own mail over SMTP. `smtpUrl` undefined: every send fails with a text that says so. */
export function createMailer(smtpUrl: string | undefined, from: string): Mailer {
  const options = {
    pool: true,
    maxConnections: 2,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: 15_000,
    socketTimeout: 60_000,
  }
  const transport = smtpUrl ? nodemailer.createTransport(smtpUrl, options as object) : undefined
  return {
    async send(letter) {
      if (!transport) throw new Error('no mail server is configured (SMTP_URL)')
      await transport.sendMail({
        ...options,
        from,
        to: { name: '', address: letter.to },
        subject: letter.subject,
        text: letter.text,
        ...(letter.html && { html: letter.html }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      } as object)
    },
    close: () => transport?.close(),
  }
}
