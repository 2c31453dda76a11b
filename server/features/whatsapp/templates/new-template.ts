import type { z } from 'zod'
import type { NewTemplate } from '#contracts/whatsapp/templates.ts'
import type { RawTemplate } from '#server/adapters/whatsapp/api.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { variablesIn } from './shape.ts'

export type TemplateInput = z.output<typeof NewTemplate>

const isNamed = (variables: string[]) => variables.some((variable) => !/^\d+$/.test(variable))

/** Refuses what Meta would refuse after a day of review, while it can be fixed at once. */
export function checkNew(given: TemplateInput): void {
  const variables = variablesIn(given.body)
  const numbered = variables.filter((variable) => /^\d+$/.test(variable))
  if (numbered.length > 0 && isNamed(variables))
    throw invalid('body', 'mixes numbered and named variables: use only one kind')
  if (numbered.some((_, at) => !numbered.includes(String(at + 1))))
    throw invalid('body', 'must number its variables 1, 2, 3 without a gap')
  if (/^\s*\{\{|\}\}\s*$/.test(given.body))
    throw invalid('body', 'must not begin or end with a variable: put words around it')
  if (/\}\}\s*\{\{/.test(given.body)) throw invalid('body', 'has two variables side by side: put words between them')
  const words = given.body
    .replaceAll(/\{\{\s*\w+\s*\}\}/g, '')
    .split(/\s+/)
    .filter(Boolean).length
  if (variables.length > 0 && words < variables.length * 2 + 1)
    throw invalid('body', 'has too few words for its variables: Meta would refuse it')
  const without = variables.find((variable) => !given.examples[variable])
  if (without) throw invalid('examples', `need one for {{${without}}}: Meta’s reviewers read it with examples`)
  if (variablesIn(given.footer).length > 0) throw invalid('footer', 'must not have variables')
  if (given.header?.format === 'text') {
    const headers = variablesIn(given.header.text)
    if (headers.length > 1) throw invalid('header', 'must have at most one variable')
    if (headers.length === 1 && !given.header.example) throw invalid('header', 'needs an example for its variable')
  }
  checkButtons(given.buttons)
}

function checkButtons(buttons: TemplateInput['buttons']): void {
  const kinds = buttons.map(({ type }) => type)
  if (kinds.filter((type) => type === 'url').length > 2) throw invalid('buttons', 'must have at most two of type url')
  if (kinds.filter((type) => type === 'phone').length > 1)
    throw invalid('buttons', 'must have at most one of type phone')
  const first = kinds.indexOf('quick_reply')
  const run = kinds.slice(first, first + kinds.filter((type) => type === 'quick_reply').length)
  if (run.some((type) => type !== 'quick_reply'))
    throw invalid('buttons', 'of type quick_reply must be next to each other')
  for (const [at, button] of buttons.entries()) {
    if (button.type !== 'url') continue
    if (!/^https?:\/\/[^\s{}]+(\{\{1\}\})?$/.test(button.url))
      throw invalid(`buttons.${at}.url`, 'must start with https:// or http://, and a variable part is {{1}} at its end')
    if (button.url.includes('{{') && !button.example)
      throw invalid(`buttons.${at}.example`, 'is required where the URL has a variable')
  }
}

type Example = (kind: 'body' | 'header', names: string[], filled: (name: string) => string) => object

/** The head as Meta takes it: a line with an example of its variable, or the sample of a file. */
function buildHeader(header: TemplateInput['header'], example: Example) {
  if (!header) return []
  if (header.format !== 'text')
    return [{ type: 'HEADER', format: header.format.toUpperCase(), example: { header_handle: [header.handle] } }]
  const variables = variablesIn(header.text)
  return [
    {
      type: 'HEADER',
      format: 'TEXT',
      text: header.text,
      ...(variables.length > 0 && { example: example('header', variables, () => header.example ?? '') }),
    },
  ]
}

/** What is handed to Meta, as its reference has it. */
export function toRawTemplate(given: TemplateInput): Omit<RawTemplate, 'id' | 'status' | 'reason' | 'quality'> {
  const variables = variablesIn(given.body)
  const named = isNamed(variables)
  const example: Example = (kind, names, filled) =>
    named
      ? { [`${kind}_text_named_params`]: names.map((name) => ({ param_name: name, example: filled(name) })) }
      : { [`${kind}_text`]: kind === 'body' ? [names.map(filled)] : names.map(filled) }
  const ordered = named ? variables : variables.toSorted((a, b) => Number(a) - Number(b))
  const body = {
    type: 'BODY',
    text: given.body,
    ...(variables.length > 0 && { example: example('body', ordered, (name) => given.examples[name] ?? '') }),
  }
  const buttons = given.buttons.map((button) => {
    if (button.type === 'quick_reply') return { type: 'QUICK_REPLY', text: button.text }
    if (button.type === 'phone') return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phone }
    return {
      type: 'URL',
      text: button.text,
      url: button.url,
      ...(button.url.includes('{{') && { example: [button.example] }),
    }
  })
  return {
    name: given.name,
    language: given.language,
    category: given.category,
    parameterFormat: named ? 'NAMED' : 'POSITIONAL',
    components: [
      ...buildHeader(given.header, example),
      body,
      ...(given.footer ? [{ type: 'FOOTER', text: given.footer }] : []),
      ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
    ],
  }
}
