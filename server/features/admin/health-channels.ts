import type { HealthLine } from '#contracts/admin/admin.ts'
import type { Services } from '#server/services.ts'
import { mailServer } from './health-mail.ts'

const SANDBOX = 'Sandbox: no real messages are sent.'
const area = 'channels'

function email({ smtpUrl, sandbox }: Services): HealthLine {
  const line = { area, name: 'Email' } as const
  if (!smtpUrl)
    return {
      ...line,
      state: 'bad',
      text: 'Not configured: nothing can be sent.',
      advice: 'Set SMTP_URL and MAIL_FROM.',
    }
  if (sandbox)
    return {
      ...line,
      state: 'ok',
      text: SANDBOX,
      advice: 'To send real emails, set SMTP_URL, MAIL_FROM and PUBLIC_URL.',
    }
  return { ...line, state: 'ok', text: `Real, through ${mailServer(smtpUrl)}.`, advice: '' }
}

function google({ google, config }: Services): HealthLine {
  const line = { area, name: 'Google sign-in', state: 'ok' } as const
  const advice = 'Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET to let users sign in with Google.'
  if (!google) return { ...line, text: 'Not offered.', advice }
  if (!config.google) return { ...line, text: 'Sandbox: emulated Google sign-in on this machine.', advice }
  return { ...line, text: `Real, at ${new URL(config.google.issuer).host}.`, advice: '' }
}

function gmail({ gmail, config }: Services): HealthLine {
  const line = { area, name: 'Gmail', state: 'ok' } as const
  const advice = 'Set GMAIL_API_URL, such as https://gmail.googleapis.com, to offer it.'
  if (!gmail) return { ...line, text: 'Not offered.', advice }
  if (!config.gmailApiUrl) return { ...line, text: 'Sandbox: emulated Gmail API on this machine.', advice: '' }
  return { ...line, text: `Real, at ${new URL(gmail.apiUrl).host}.`, advice: '' }
}

function whatsapp({ whatsapp, config }: Services): HealthLine {
  const line = { area, name: 'WhatsApp', state: 'ok' } as const
  const advice = 'Set WHATSAPP_API_URL, such as https://graph.facebook.com/v25.0, to offer it.'
  if (!whatsapp) return { ...line, text: 'Not offered.', advice }
  if (!config.whatsappApiUrl) return { ...line, text: 'Sandbox: emulated Graph API on this machine.', advice: '' }
  return { ...line, text: `Real, at ${new URL(config.whatsappApiUrl).host}.`, advice: '' }
}

function payments({ payments, config }: Services): HealthLine {
  const line = { area, name: 'Payments', state: 'ok' } as const
  const advice = 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to take real payments.'
  if (!payments) return { ...line, text: 'Not offered. Admins set plans manually.', advice }
  if (!config.stripe) return { ...line, text: 'Sandbox: emulated Stripe API on this machine.', advice }
  return { ...line, text: `Real, at ${new URL(config.stripe.apiUrl).host}.`, advice: '' }
}

/** For each way out: the real service, the sandbox on this machine, or nothing. A sandbox is not a fault. */
export function channelLines(services: Services): HealthLine[] {
  return [email(services), google(services), whatsapp(services), gmail(services), payments(services)]
}
