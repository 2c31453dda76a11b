import { existsSync, readFileSync } from 'node:fs'
import type { StarterGroup } from '#contracts/templates/templates.ts'

/** A template that comes with the product: MJML, or HTML where it is to look typed by hand. */
export interface Starter {
  id: string
  name: string
  description: string
  group: StarterGroup
  /** Always empty: a subject is written for one campaign. */
  subject: ''
  html: string
  mjml: string
  /** The color that is its own: another takes its place where a workspace has one. Empty for plain emails. */
  accent: string
}

const STARTERS: Omit<Starter, 'html' | 'mjml' | 'subject'>[] = [
  {
    id: 'newsletter',
    name: 'Newsletter',
    group: 'newsletter',
    accent: '#1f5a41',
    description: 'One main story, two shorter ones and a closing note. For a regular newsletter.',
  },
  {
    id: 'product-launch',
    name: 'Product launch',
    group: 'promotion',
    accent: '#3b49df',
    description: 'One piece of news, three benefits and one button. For launch day.',
  },
  {
    id: 'welcome',
    name: 'Welcome',
    group: 'transactional',
    accent: '#0b6b86',
    description: 'Three first steps and one button. For new customers and subscribers.',
  },
  {
    id: 'confirmation',
    name: 'Confirm subscription',
    group: 'transactional',
    accent: '#4b3fd1',
    description: 'One button that confirms a subscription. For lists with double opt-in.',
  },
  {
    id: 'event',
    name: 'Event invitation',
    group: 'promotion',
    accent: '#5b3fb5',
    description: 'What, when, where and the price, with one button to reserve a seat.',
  },
  {
    id: 'cold-outreach',
    name: 'Cold outreach, plain',
    group: 'plain',
    accent: '',
    description: 'Short paragraphs and one question, without any design. For a first email to a business.',
  },
  {
    id: 'follow-up',
    name: 'Follow-up, plain',
    group: 'plain',
    accent: '',
    description: 'Short, with one new fact and an easy way to say no. For a week after the first email.',
  },
  {
    id: 'personal-note',
    name: 'Plain personal note',
    group: 'plain',
    accent: '',
    description: 'Looks like an email you typed yourself. For a question to someone who knows you.',
  },
  {
    id: 'announcement',
    name: 'Announcement',
    group: 'newsletter',
    accent: '#3f46c8',
    description: 'One change and what it means. For new opening hours, prices or locations.',
  },
  {
    id: 'digest',
    name: 'Digest',
    group: 'newsletter',
    accent: '#2456c4',
    description: 'Five numbered links, each with a sentence and its reading time. For a weekly selection.',
  },
  {
    id: 'discount',
    name: 'Discount',
    group: 'promotion',
    accent: '#8a5a00',
    description: 'The offer, the code, the end date and the terms. For a sale.',
  },
  {
    id: 'receipt',
    name: 'Receipt',
    group: 'transactional',
    accent: '#1f5fbf',
    description: 'The order as a table, what happens next, and where to get help.',
  },
  {
    id: 'survey',
    name: 'One-question survey',
    group: 'transactional',
    accent: '#1c7044',
    description: 'A question answered with one click on a number from 1 to 5.',
  },
  {
    id: 're-engagement',
    name: 'Re-engagement',
    group: 'promotion',
    accent: '#a8441e',
    description: 'Asks inactive subscribers whether they want more emails. Keeps a list healthy.',
  },
]

function readStarterSource(id: string, kind: 'html' | 'mjml'): string {
  const file = new URL(`./starters/${id}.${kind}`, import.meta.url)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** The starter templates, read from their files. */
export function readStarters(): Starter[] {
  return STARTERS.map((starter) => ({
    ...starter,
    subject: '' as const,
    html: readStarterSource(starter.id, 'html'),
    mjml: readStarterSource(starter.id, 'mjml'),
  }))
}
