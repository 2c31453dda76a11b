import type { z } from 'zod'
import type { NewTemplate, WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'

type TemplateInput = z.input<typeof NewTemplate>
export type DraftButton = {
  key: string
  type: 'quick_reply' | 'url' | 'phone'
  text: string
  target: string
  example: string
}

export type HeaderKind = 'none' | 'text' | 'image' | 'video' | 'document'

/** A file Meta holds as the example of a header. */
export interface Sample {
  format: 'image' | 'video' | 'document'
  handle: string
  fileName: string
  size: number
  /** Where the browser finds it, for the preview. */
  address: string
}

/** A template while it is written; numbers and lists as the form holds them. */
export interface Draft {
  accountId: string
  name: string
  language: string
  category: 'MARKETING' | 'UTILITY'
  /** What stands on top; what was typed or chosen for another kind stays while the form is open. */
  headerKind: HeaderKind
  header: string
  headerExample: string
  sample: Sample | null
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
  headerKind: 'none',
  header: '',
  headerExample: '',
  sample: null,
  body: '',
  examples: {},
  footer: '',
  buttons: [],
}

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g

/** The variables of a text in their order, each once. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map((found) => found[1] ?? '')),
]

/** "Spring Sale!" -> "spring_sale": the only names Meta takes. */
export const nameFrom = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, 512)

/** A variable that a text with these does not have yet: the next number, or a name where one of them is named. */
export function nextVariable(variables: string[]): string {
  const prefix = variables.some((variable) => !/^\d+$/.test(variable)) ? 'name_' : ''
  const numbers = variables.map((variable) => Number(variable.replace(/^name_/, ''))).filter(Number.isSafeInteger)
  return `${prefix}${Math.max(prefix ? variables.length : 0, ...numbers) + 1}`
}

/** The head of a template as the API takes it; undefined: none. A file that is not there yet is an empty handle. */
function buildHeader({ headerKind, header, headerExample, sample }: Draft): TemplateInput['header'] {
  if (headerKind === 'none') return undefined
  if (headerKind !== 'text') return { format: headerKind, handle: sample?.format === headerKind ? sample.handle : '' }
  const isOpen = variablesIn(header).length > 0
  return { format: 'text', text: header, ...(isOpen && headerExample.trim() && { example: headerExample }) }
}

/** The head as the preview draws it. */
export function previewHeader({ headerKind, header }: Draft): WhatsAppTemplate['header'] {
  if (headerKind === 'none' || (headerKind === 'text' && header === '')) return null
  return { format: headerKind, text: headerKind === 'text' ? header : '' }
}

/** What is handed over; empty parts are skipped. */
export function toNewTemplate(draft: Draft): TemplateInput {
  const variables = variablesIn(draft.body)
  const header = buildHeader(draft)
  return {
    accountId: draft.accountId,
    name: draft.name,
    language: draft.language,
    category: draft.category,
    ...(header && { header }),
    body: draft.body,
    examples: Object.fromEntries(
      variables.flatMap((variable) => (draft.examples[variable]?.trim() ? [[variable, draft.examples[variable]]] : [])),
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
  header:
    draft.headerKind === 'text'
      ? draft.headerExample
      : draft.sample?.format === draft.headerKind
        ? draft.sample.address
        : '',
  ...Object.fromEntries(Object.entries(draft.examples).map(([variable, value]) => [`body.${variable}`, value])),
})
