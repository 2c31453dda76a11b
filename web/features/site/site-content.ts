/**
 * Everything the public pages say about this installation: the operator's one file. Replace what is not yours, prove or
 * replace every figure under `claims`, and put real voices (with their owners' consent) in place of the samples under
 * `testimonials`; then set `testimonialsAreSamples` to false. A null is shown as something not set up yet.
 */
export const siteFacts = {
  mission:
    'Postlark sends your mail, counts it honestly and keeps it lawful, so that people are glad to hear from you.',
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
  { title: 'Authenticate', text: 'Sign up and confirm your address.' },
  { title: 'Upload template', text: 'Your HTML or MJML, or one of ours.' },
  { title: 'Upload recipients', text: 'CSV or XLSX, a million rows if need be.' },
  { title: 'Create campaign', text: 'Who, what, from whom, and when.' },
  { title: 'Send', text: 'And follow every message.' },
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

/** The four services; the ids are part of SPEC.md. */
export const services = [
  {
    id: 'bulkMailer',
    name: 'Bulk email sending',
    description:
      'Personal email to your whole list, at the pace you set, with the reply of the mail server kept for every message.',
  },
  {
    id: 'mailScraper',
    name: 'Lead collection',
    description: 'Reads the public pages you name, politely, and lists the addresses with the page each was found on.',
  },
  {
    id: 'whatsAppSender',
    name: 'WhatsApp automation',
    description: 'Approved templates to people who agreed to them, and answers to what they write back.',
  },
  {
    id: 'numberScraper',
    name: 'Real-time analyst',
    description: 'Phone numbers from public pages while they are read: checked, with country and source.',
  },
] as const

/** Headline figures. They are marketing claims, not measurements of this installation: prove them or replace them. */
export const claims = [
  { figure: '99%', name: 'Accuracy', text: 'of the addresses it finds and checks.' },
  { figure: '99.9%', name: 'Delivery success', text: 'of what is sent to addresses that exist.' },
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
    text: 'For the first time I can tell my team how many people opened a letter, and not how many machines did.',
  },
  {
    id: '2',
    name: 'Jonas Lindqvist',
    role: 'Founder',
    company: 'Sample Bicycle Works',
    avatar: 'JL',
    rating: 5,
    text: 'The check before sending caught a missing unsubscribe link and a field nobody had filled. That was a good evening.',
  },
  {
    id: '3',
    name: 'Dóra Varga',
    role: 'Campaign Manager',
    company: 'Sample Studio',
    avatar: 'DV',
    rating: 5,
    text: 'Our server went down in the middle of a campaign. It picked up where it was, and nobody got the letter twice.',
  },
  {
    id: '4',
    name: 'Tomás Rivera',
    role: 'Sales Lead',
    company: 'Sample Tools',
    avatar: 'TR',
    rating: 5,
    text: 'Every address it found came with the page it was found on. I finally know why somebody is on my list.',
  },
  {
    id: '5',
    name: 'Mei Tanaka',
    role: 'Owner',
    company: 'Sample Bookshop',
    avatar: 'MT',
    rating: 5,
    text: 'I imported a spreadsheet with years of mess in it. The good rows went in, and the bad ones came back with a reason.',
  },
]
