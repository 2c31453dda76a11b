import type { TemplateButton, TemplateVariable, WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { isObject, type Json, toObjects } from '../raw-json.ts'

/** A template as Meta keeps it: the parts a message is made from. */
export interface TemplateParts {
  name: string
  language: string
  parameterFormat: string
  components: unknown
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const findPart = (template: Pick<TemplateParts, 'components'>, type: string): Json | undefined =>
  toObjects(template.components).find((part) => toText(part.type).toUpperCase() === type)

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g

/** The variables of a text in their order, each once. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map((found) => found[1] ?? '')),
]

const MEDIA = ['IMAGE', 'VIDEO', 'DOCUMENT']

function readExamples(part: Json | undefined, kind: 'body' | 'header'): Map<string, string> {
  const example = isObject(part?.example) ? part.example : {}
  const named = example[`${kind}_text_named_params`]
  if (Array.isArray(named))
    return new Map(named.filter(isObject).map((one) => [toText(one.param_name), toText(one.example)]))
  const positional = kind === 'body' ? (example.body_text as unknown[] | undefined)?.[0] : example.header_text
  return new Map(Array.isArray(positional) ? positional.map((value, at) => [String(at + 1), toText(value)]) : [])
}

const BUTTONS: Record<string, TemplateButton['type']> = {
  QUICK_REPLY: 'quick_reply',
  URL: 'url',
  PHONE_NUMBER: 'phone',
  COPY_CODE: 'copy_code',
}

const rawButtons = (template: Pick<TemplateParts, 'components'>): Json[] =>
  toObjects(findPart(template, 'BUTTONS')?.buttons)

function readButtons(template: Pick<TemplateParts, 'components'>): TemplateButton[] {
  return rawButtons(template).map((button) => ({
    type: BUTTONS[toText(button.type).toUpperCase()] ?? 'other',
    text: toText(button.text),
    url: toText(button.url) || null,
    phone: toText(button.phone_number) || null,
  }))
}

/** What has to be filled, by the key under which it is given. */
export function findVariables(template: TemplateParts): TemplateVariable[] {
  const header = findPart(template, 'HEADER')
  const format = toText(header?.format).toUpperCase()
  const found: TemplateVariable[] = []
  if (MEDIA.includes(format)) found.push({ key: 'header', kind: 'media', example: '' })
  else if (variablesIn(toText(header?.text)).length > 0)
    found.push({ key: 'header', kind: 'text', example: [...readExamples(header, 'header').values()][0] ?? '' })
  const body = findPart(template, 'BODY')
  const examples = readExamples(body, 'body')
  for (const variable of variablesIn(toText(body?.text)))
    found.push({ key: `body.${variable}`, kind: 'text', example: examples.get(variable) ?? '' })
  rawButtons(template).forEach((button, at) => {
    const isOpen = toText(button.url).includes('{{') || toText(button.type).toUpperCase() === 'COPY_CODE'
    const [example] = Array.isArray(button.example) ? button.example : [button.example]
    if (isOpen) found.push({ key: `button.${at}`, kind: 'text', example: toText(example) })
  })
  return found
}

/** A template for people: what it looks like and what it needs. */
export function buildShape(
  template: TemplateParts,
): Pick<WhatsAppTemplate, 'header' | 'body' | 'footer' | 'buttons' | 'variables'> {
  const header = findPart(template, 'HEADER')
  const format = toText(header?.format).toLowerCase()
  const known = (['text', 'image', 'video', 'document', 'location'] as const).find((one) => one === format)
  return {
    header: known ? { format: known, text: toText(header?.text) } : null,
    body: toText(findPart(template, 'BODY')?.text),
    footer: toText(findPart(template, 'FOOTER')?.text),
    buttons: readButtons(template),
    variables: findVariables(template),
  }
}

/** A value as Meta takes it in a variable: one line, no long gaps. */
export const placeable = (value: string): string =>
  value
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(/ {4,}/g, '   ')
    .trim()

/** Keys of variables that have no value: Meta refuses a message with an empty variable. */
export function missingVariables(template: TemplateParts, values: Record<string, string>): string[] {
  return findVariables(template)
    .map(({ key }) => key)
    .filter((key) => !Object.hasOwn(values, key) || placeable(values[key] ?? '') === '')
}

/** What is sent for a template with its values: the `template` of a message. `media`: an uploaded file in its header. */
export function templateMessage(
  template: TemplateParts,
  values: Record<string, string>,
  media?: { id: string; filename?: string },
): Json {
  const isNamed = template.parameterFormat === 'NAMED'
  const filled = (key: string) => (Object.hasOwn(values, key) ? placeable(values[key] ?? '') : '')
  const components: Json[] = []
  const header = findPart(template, 'HEADER')
  const format = toText(header?.format).toLowerCase()
  if (MEDIA.includes(format.toUpperCase()))
    components.push({
      type: 'header',
      parameters: [{ type: format, [format]: mediaPart(format, media ?? { link: filled('header') }) }],
    })
  const [variable] = variablesIn(toText(header?.text))
  if (format === 'text' && variable)
    components.push({
      type: 'header',
      parameters: [{ type: 'text', ...(isNamed && { parameter_name: variable }), text: filled('header') }],
    })
  const variables = variablesIn(toText(findPart(template, 'BODY')?.text))
  if (variables.length > 0) {
    // Positional ones are taken by their order, whatever order the text has them in.
    const ordered = isNamed ? variables : variables.toSorted((a, b) => Number(a) - Number(b))
    const parameters = ordered.map((name) => ({
      type: 'text',
      ...(isNamed && { parameter_name: name }),
      text: filled(`body.${name}`),
    }))
    components.push({ type: 'body', parameters })
  }
  rawButtons(template).forEach((button, at) => {
    const type = toText(button.type).toUpperCase()
    const index = String(at)
    if (type === 'URL' && toText(button.url).includes('{{'))
      components.push({
        type: 'button',
        sub_type: 'url',
        index,
        parameters: [{ type: 'text', text: filled(`button.${at}`) }],
      })
    if (type === 'COPY_CODE')
      components.push({
        type: 'button',
        sub_type: 'copy_code',
        index,
        parameters: [{ type: 'coupon_code', coupon_code: filled(`button.${at}`) }],
      })
  })
  return { name: template.name, language: { code: template.language }, ...(components.length > 0 && { components }) }
}

/** Only a document shows its name. */
const mediaPart = (format: string, media: { id?: string; link?: string; filename?: string }) =>
  format === 'document' ? media : { ...(media.id === undefined ? { link: media.link } : { id: media.id }) }

/** What the person reads of it. */
export function templateText(template: TemplateParts, values: Record<string, string>): string {
  const fill = (text: string, prefix: string) =>
    text.replaceAll(VARIABLE, (_, variable: string) =>
      placeable(values[prefix === 'header' ? 'header' : `body.${variable}`] ?? ''),
    )
  const { header, body, footer } = buildShape(template)
  return [header?.format === 'text' ? fill(header.text, 'header') : '', fill(body, 'body'), footer]
    .filter(Boolean)
    .join('\n\n')
}
