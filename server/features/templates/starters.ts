import { readFileSync } from 'node:fs'

/** A template that comes with the product, to begin with. */
export interface Starter {
  id: string
  name: string
  description: string
  subject: string
  mjml: string
}

const STARTERS: Omit<Starter, 'mjml'>[] = [
  {
    id: 'newsletter',
    name: 'Newsletter',
    description: 'One story up front, two shorter ones, and a note from you. For a letter that comes regularly.',
    subject: 'Why we stopped roasting on Mondays',
  },
  {
    id: 'product-launch',
    name: 'Product launch',
    description: 'One piece of news, three reasons to care, one button. For the day something new is ready.',
    subject: 'New: plan your week in five minutes',
  },
  {
    id: 'personal-note',
    name: 'Plain personal note',
    description: 'Looks like a letter you typed yourself. For the first contact, a question or a follow-up.',
    subject: 'A short question, {{ name | default: "if you have a minute" }}',
  },
]

/** The starter templates, read once when the product starts. */
export function readStarters(): Starter[] {
  return STARTERS.map((starter) => ({
    ...starter,
    mjml: readFileSync(new URL(`./starters/${starter.id}.mjml`, import.meta.url), 'utf8'),
  }))
}
