import type { z } from 'zod'
import type { NewTemplate } from '#contracts/whatsapp-templates.ts'

type New = z.input<typeof NewTemplate>
export type DraftButton = {
  key: string
  type: 'quick_reply' | 'url' | 'phone'
  text: string
  target: string
  example: string
}

/** A template while it is written; numbers and lists as the form holds them. */
export interface Draft {
  accountId: string
  name: string
  language: string
  category: 'MARKETING' | 'UTILITY'
  header: string
  headerExample: string
  body: string
  examples: Record<string, string>
  footer: string
  buttons: DraftButton[]
}

export const emptyDraft: Draft = {
  accountId: '',
  name: '',
  language: 'en',
  category: 'MARKETING',
  header: '',
  headerExample: '',
  body: '',
  examples: {},
  footer: '',
  buttons: [],
}

const PLACE = /\{\{\s*(\w+)\s*\}\}/g

/** The places of a text in their order, each once. */
export const placesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACE)].map((found) => found[1] ?? '')),
]

/** "Spring Sale!" -> "spring_sale": the only names Meta takes. */
export const nameFrom = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, 512)

/** The next place for the text: a number where places are numbered, else the name asked for. */
export const nextPlace = (body: string): string => {
  const numbers = placesIn(body).map(Number).filter(Number.isInteger)
  return String(Math.max(0, ...numbers) + 1)
}

/** What is handed over; empty parts are left out. */
export function bodyOf(draft: Draft): New {
  const places = placesIn(draft.body)
  const isOpen = placesIn(draft.header).length > 0
  return {
    accountId: draft.accountId,
    name: draft.name,
    language: draft.language,
    category: draft.category,
    ...(draft.header.trim() && {
      header: {
        text: draft.header,
        ...(isOpen && draft.headerExample.trim() && { example: draft.headerExample }),
      },
    }),
    body: draft.body,
    examples: Object.fromEntries(
      places.flatMap((place) => (draft.examples[place]?.trim() ? [[place, draft.examples[place]]] : [])),
    ),
    footer: draft.footer,
    buttons: draft.buttons.map(({ type, text, target, example }) => {
      if (type === 'quick_reply') return { type, text }
      if (type === 'phone') return { type, text, phone: target.replaceAll(/[\s()/.-]/g, '') }
      return { type, text, url: target, ...(target.includes('{{') && example && { example }) }
    }),
  }
}

/** The values the preview shows: the examples, as far as there are any. */
export const previewValues = (draft: Draft): Record<string, string> => ({
  header: draft.headerExample,
  ...Object.fromEntries(Object.entries(draft.examples).map(([place, value]) => [`body.${place}`, value])),
})
