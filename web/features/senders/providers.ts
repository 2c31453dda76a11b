import type { SenderFields } from './sender-form.ts'

/** A mail provider's SMTP server as its documentation names it. */
interface Provider extends Pick<SenderFields, 'host' | 'port' | 'secure'> {
  id: string
  name: string
  /** What to enter as username and password, and where they are found. */
  hint: string
}

/** Known providers, by name. */
export const providers: readonly Provider[] = [
  {
    id: 'ses',
    name: 'Amazon SES',
    host: 'email-smtp.us-east-1.amazonaws.com',
    port: '587',
    secure: 'starttls',
    hint: 'Replace us-east-1 with your region. Create SMTP credentials in the SES console.',
  },
  {
    id: 'brevo',
    name: 'Brevo',
    host: 'smtp-relay.brevo.com',
    port: '587',
    secure: 'starttls',
    hint: 'Your SMTP login and an SMTP key from SMTP & API.',
  },
  {
    id: 'gmail',
    name: 'Gmail SMTP',
    host: 'smtp.gmail.com',
    port: '465',
    secure: 'tls',
    hint: 'Your Gmail address and an app password. Gmail allows about 500 emails a day.',
  },
  {
    id: 'mailgun',
    name: 'Mailgun',
    host: 'smtp.mailgun.org',
    port: '587',
    secure: 'starttls',
    hint: 'The SMTP credentials of your domain. In the EU, use smtp.eu.mailgun.org.',
  },
  {
    id: 'microsoft',
    name: 'Microsoft 365',
    host: 'smtp.office365.com',
    port: '587',
    secure: 'starttls',
    hint: 'Your address and password. SMTP AUTH must be turned on for the mailbox.',
  },
  {
    id: 'postmark',
    name: 'Postmark',
    host: 'smtp-broadcasts.postmarkapp.com',
    port: '587',
    secure: 'starttls',
    hint: 'The access key and secret key of a broadcast stream.',
  },
  {
    id: 'sendgrid',
    name: 'SendGrid',
    host: 'smtp.sendgrid.net',
    port: '587',
    secure: 'starttls',
    hint: 'The username is the word apikey. The password is an API key that may send mail.',
  },
  {
    id: 'zoho',
    name: 'Zoho Mail',
    host: 'smtp.zoho.com',
    port: '465',
    secure: 'tls',
    hint: 'Your Zoho address and an app-specific password.',
  },
]

/** The provider of a server's name; undefined: another one. */
export const findProvider = (host: string): Provider | undefined =>
  providers.find((provider) => provider.host === host.trim().toLowerCase()) ??
  (/^email-smtp\.[a-z0-9-]+\.amazonaws\.com$/i.test(host.trim()) ? providers.find(({ id }) => id === 'ses') : undefined)
