/**
 * Everything the public pages say about this installation: the operator's one file. Replace what is not yours, prove or
 * replace every figure under `claims`, and put real voices (with their owners' consent) in place of the samples under
 * `testimonials`; then set `testimonialsAreSamples` to false. What is null is not shown.
 */
export const siteFacts = {
  mission: 'Postlark sends your email, measures it honestly and keeps it lawful, so people are glad to hear from you.',
  contact: { email: 'hello@postlark.example', phone: null as string | null, address: null as string | null },
  social: [
    { name: 'LinkedIn', href: null as string | null },
    { name: 'X', href: null as string | null },
    { name: 'YouTube', href: null as string | null },
  ],
  copyrightYear: 2025,
}

/** The way to a sent campaign. */
export const steps = [
  { title: 'Authenticate', text: 'Sign up and confirm your email address.' },
  { title: 'Upload template', text: 'Your HTML or MJML, or one of our templates.' },
  { title: 'Upload recipients', text: 'CSV or XLSX, with up to a million rows.' },
  { title: 'Create campaign', text: 'Choose the sender, recipients and time.' },
  { title: 'Send', text: 'Follow every message.' },
]

/** Standards spoken and technologies worked with; no customers. */
export const worksWith = [
  'SMTP',
  'OpenID Connect',
  'RFC 8058',
  'MJML',
  'Liquid',
  'CSV',
  'XLSX',
  'PostgreSQL',
  'OpenAPI',
]

/** The four services; the ids are fixed (docs/specification.md, 1). */
export const services = [
  {
    id: 'bulkMailer',
    name: 'Bulk email sending',
    description:
      'Personal email to your whole list, at the pace you set, with the mail server’s response saved for every message.',
  },
  {
    id: 'mailScraper',
    name: 'Lead collection',
    description: 'Finds email addresses on the public pages you choose, with the source page of each.',
  },
  {
    id: 'whatsAppSender',
    name: 'WhatsApp automation',
    description: 'Approved templates for people who gave consent, and automatic replies to their messages.',
  },
  {
    id: 'numberScraper',
    name: 'Real-time analyst',
    description: 'Finds phone numbers on public pages in real time: validated, with country and source.',
  },
] as const

/** Headline figures. They are marketing claims, not measurements of this installation: prove them or replace them. */
export const claims = [
  { figure: '99%', name: 'Accuracy', text: 'of the addresses found and checked.' },
  { figure: '99.9%', name: 'Delivery success', text: 'of emails sent to existing addresses.' },
  { figure: 'Free', name: 'No limits', text: 'Tools free with no limits.' },
]

export const testimonialsAreSamples = true

/** SAMPLES, written by us to show the place: nobody here exists. */
export const testimonials = [
  {
    id: '1',
    name: 'Amara Okafor',
    role: 'Head of Marketing',
    company: 'Sample Coffee Roasters',
    avatar: 'AO',
    rating: 5,
    text: 'For the first time, I can tell my team how many people opened an email, and not how many bots did.',
  },
  {
    id: '2',
    name: 'Jonas Lindqvist',
    role: 'Founder',
    company: 'Sample Bicycle Works',
    avatar: 'JL',
    rating: 5,
    text: 'The pre-send check found a missing unsubscribe link and an empty merge field. It saved us from a bad send.',
  },
  {
    id: '3',
    name: 'Dóra Varga',
    role: 'Campaign Manager',
    company: 'Sample Studio',
    avatar: 'DV',
    rating: 5,
    text: 'Our server went down in the middle of a campaign. It continued where it stopped, and no one got the email twice.',
  },
  {
    id: '4',
    name: 'Tomás Rivera',
    role: 'Sales Lead',
    company: 'Sample Tools',
    avatar: 'TR',
    rating: 5,
    text: 'Every address came with the page it was found on. I finally know why someone is on my list.',
  },
  {
    id: '5',
    name: 'Mei Tanaka',
    role: 'Owner',
    company: 'Sample Bookshop',
    avatar: 'MT',
    rating: 5,
    text: 'I imported a spreadsheet with years of bad data. The valid rows were imported, and every skipped row came with a reason.',
  },
]
