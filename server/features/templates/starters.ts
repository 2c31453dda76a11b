import { existsSync, readFileSync } from 'node:fs'

/** A template that comes with the product, to begin with: MJML, or HTML where it is to look typed by hand. */
export interface Starter {
  id: string
  name: string
  description: string
  subject: string
  html: string
  mjml: string
  /** The color that is its own: another takes its place where a workspace has one. Empty for plain emails. */
  accent: string
}

const STARTERS: Omit<Starter, 'html' | 'mjml'>[] = [
  {
    id: 'newsletter',
    name: 'Newsletter',
    accent: '#1f5a41',
    description: 'One story up front, two shorter ones, and a note from you. For a regular newsletter.',
    subject: 'Why we stopped roasting on Mondays',
  },
  {
    id: 'product-launch',
    name: 'Product launch',
    accent: '#3b49df',
    description: 'One piece of news, three reasons to care, one button. For the day something new is ready.',
    subject: 'New: plan your week in five minutes',
  },
  {
    id: 'welcome',
    name: 'Welcome',
    accent: '#0b6b86',
    description: 'Three small steps, one button, and a person to write to. For the first day.',
    subject: 'Welcome{% if name %}, {{ name }}{% endif %}: three small steps to get started',
  },
  {
    id: 'event',
    name: 'Event invitation',
    accent: '#5b3fb5',
    description: 'What, when, where and what it costs, with one button to say yes.',
    subject: 'You are invited: an evening about things worth repairing',
  },
  {
    id: 'cold-outreach',
    name: 'Cold outreach, plain',
    accent: '',
    description: 'Five short paragraphs and one question, without any design. For the first email to a business.',
    subject: 'A question about customer service{% if attributes.company %} at {{ attributes.company }}{% endif %}',
  },
  {
    id: 'follow-up',
    name: 'Follow-up, plain',
    accent: '',
    description: 'Short, with one new fact and an easy way to say no. For a week after the first email.',
    subject: 'Following up on unanswered emails',
  },
  {
    id: 'personal-note',
    name: 'Plain personal note',
    accent: '',
    description: 'Looks like an email you typed yourself. For a question to someone who knows you.',
    subject: 'A short question, {{ name | default: "if you have a minute" }}',
  },
  {
    id: 'announcement',
    name: 'Announcement',
    accent: '#3f46c8',
    description: 'One change, what it means, and what to do. For opening times, prices and moves.',
    subject: 'We are there from eight to six',
  },
  {
    id: 'digest',
    name: 'Digest',
    accent: '#2456c4',
    description: 'Five numbered links with a sentence each and how long they take. For a weekly selection.',
    subject: 'Five things worth your Friday',
  },
  {
    id: 'discount',
    name: 'Discount',
    accent: '#8a5a00',
    description: 'The offer, the code, the date and the conditions, all in plain sight.',
    subject: '15 % off everything for the balcony, until Sunday',
  },
  {
    id: 'receipt',
    name: 'Receipt',
    accent: '#1f5fbf',
    description: 'The bill as a table, what happens next, and whom to write to when something is wrong.',
    subject: 'Your receipt{% if attributes.order_number %} for order {{ attributes.order_number }}{% endif %}',
  },
  {
    id: 'survey',
    name: 'One-question survey',
    accent: '#1c7044',
    description: 'Five numbers to choose from, and what you do with the replies.',
    subject: 'How easy was your first week?',
  },
  {
    id: 're-engagement',
    name: 'Re-engagement',
    accent: '#a8441e',
    description: 'Asks inactive subscribers whether they want more emails. Keeps a list healthy.',
    subject: 'Shall we keep writing?',
  },
]

function readStarterSource(id: string, kind: 'html' | 'mjml'): string {
  const file = new URL(`./starters/${id}.${kind}`, import.meta.url)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** The starter templates, read once when the product starts. */
export function readStarters(): Starter[] {
  return STARTERS.map((starter) => ({
    ...starter,
    html: readStarterSource(starter.id, 'html'),
    mjml: readStarterSource(starter.id, 'mjml'),
  }))
}
