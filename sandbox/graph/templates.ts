import { badParameter, GraphError, graphError } from './graph-error.ts'
import type { Business, ChatMedia, Component, GraphTemplate } from './state.ts'

const refused = (subcode: number, title: string) =>
  new GraphError(400, 100, 'Invalid parameter', {
    error_subcode: subcode,
    error_user_title: title,
    error_user_msg: title,
  })

const variablesIn = (text: string) => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((found) => found[1] ?? '')

function checkBody(text: string): void {
  if (text.length > 1_024) throw refused(2388040, 'The body is too long')
  if (text.trim() === '') throw refused(2388072, 'The body is empty')
  if (/^\s*\{\{|\}\}\s*$/.test(text)) throw refused(2388299, "Variables can't be at the start or end of the template")
  const variables = variablesIn(text)
  const words = text
    .replaceAll(/\{\{\s*\w+\s*\}\}/g, '')
    .split(/\s+/)
    .filter(Boolean).length
  if (variables.length > 0 && words < variables.length * 2 + 1)
    throw refused(2388293, 'This template has too many variables for its length')
}

function exampleCount(component: Component): number {
  const example = component.example as
    | {
        body_text?: unknown[][]
        body_text_named_params?: unknown[]
        header_text?: unknown[]
        header_text_named_params?: unknown[]
      }
    | undefined
  return (
    example?.body_text?.[0]?.length ??
    example?.body_text_named_params?.length ??
    example?.header_text?.length ??
    example?.header_text_named_params?.length ??
    0
  )
}

/** A file on top needs a sample that was uploaded and is of its kind. */
function checkSample({ format = '', example }: Component, holds: (handle: unknown, format: string) => boolean): void {
  const handles = (example as { header_handle?: unknown[] } | undefined)?.header_handle
  if (!Array.isArray(handles) || handles.length !== 1 || !holds(handles[0], format))
    throw refused(2388047, 'The header needs a sample of its media: upload one and give its handle')
}

function checkComponents(components: Component[], holds: (handle: unknown, format: string) => boolean): void {
  const body = components.find(({ type }) => type.toUpperCase() === 'BODY')
  if (!body?.text) throw refused(2388072, 'A template needs a body')
  checkBody(body.text)
  for (const component of components) {
    const text = component.text ?? ''
    const type = component.type.toUpperCase()
    if (type === 'HEADER' && component.format === 'TEXT' && (text.length > 60 || variablesIn(text).length > 1))
      throw refused(2388047, 'The header is too long or has more than one variable')
    if (type === 'HEADER' && ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(component.format ?? ''))
      checkSample(component, holds)
    if (type === 'FOOTER' && (text.length > 60 || variablesIn(text).length > 0))
      throw refused(2388073, 'The footer is too long or has a variable')
    if (type === 'BUTTONS' && (component.buttons?.length ?? 0) > 10)
      throw refused(2388019, 'There are too many buttons')
    if ((type === 'BODY' || type === 'HEADER') && variablesIn(text).length > exampleCount(component))
      throw badParameter(`components of type ${type} need an example for each variable`)
  }
}

/** POST /{WABA}/message_templates. Throws GraphError where Meta refuses. */
export function createTemplate(
  business: Business,
  given: Record<string, unknown>,
  nextId: () => string,
  holds: (handle: unknown, format: string) => boolean,
): GraphTemplate {
  const { name, language, category, components } = given as Partial<GraphTemplate>
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) throw badParameter('name is not valid')
  if (typeof language !== 'string' || language === '') throw badParameter('language is required')
  if (!['MARKETING', 'UTILITY', 'AUTHENTICATION'].includes(String(category)))
    throw badParameter('category is not valid')
  if (!Array.isArray(components)) throw badParameter('components are required')
  if (business.templates.some((one) => one.name === name && one.language === language))
    throw refused(2388024, 'There is already content in this language for this template')
  checkComponents(components, holds)
  const template: GraphTemplate = {
    id: nextId(),
    name,
    language,
    category: String(category),
    status: 'PENDING',
    parameter_format: given.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components,
  }
  business.templates.push(template)
  return template
}

/** What Meta's review says of a template, by its name: rejected where it says so, or where variables stand side by side. */
export function verdictOn(template: GraphTemplate): { status: string; reason: string } | undefined {
  if (template.name.includes('pending')) return undefined
  const body = template.components.find(({ type }) => type.toUpperCase() === 'BODY')?.text ?? ''
  const isBad = template.name.includes('reject') || /\}\}\s*\{\{/.test(body)
  return isBad ? { status: 'REJECTED', reason: 'INVALID_FORMAT' } : { status: 'APPROVED', reason: 'NONE' }
}

interface SentTemplate {
  name?: string
  language?: { code?: string }
  components?: {
    type: string
    sub_type?: string
    index?: string | number
    parameters?: { type: string; parameter_name?: string; text?: string }[]
  }[]
}

/** The template a message names, if it may be sent with these parameters. Throws GraphError 132xxx. */
export function templateFor(business: Business, sent: SentTemplate): GraphTemplate {
  const template = business.templates.find(
    ({ name, language }) => name === sent.name && language === sent.language?.code,
  )
  if (!template || template.status === 'PENDING' || template.status === 'REJECTED') throw graphError(132001)
  if (template.status === 'PAUSED') throw graphError(132015)
  if (template.status === 'DISABLED') throw graphError(132016)
  if (template.status !== 'APPROVED') throw graphError(132001)
  for (const component of template.components) checkParameters(template, component, sent)
  checkAddresses(template, sent)
  return template
}

/** A button whose address changes needs its end. */
function checkAddresses(template: GraphTemplate, sent: SentTemplate): void {
  const buttons = template.components.flatMap((one) => one.buttons ?? [])
  for (const [index, button] of buttons.entries()) {
    if (button.type !== 'URL' || variablesIn(button.url ?? '').length === 0) continue
    const given = sent.components?.find((one) => one.sub_type === 'url' && String(one.index) === String(index))
    if (!given?.parameters?.[0]?.text)
      throw graphError(131008, `buttons: Button at index ${index} of type Url requires a parameter`)
  }
}

function checkParameters(template: GraphTemplate, component: Component, sent: SentTemplate): void {
  const type = component.type.toLowerCase()
  const given = sent.components?.find((one) => one.type.toLowerCase() === type)?.parameters ?? []
  const variables = type === 'body' || type === 'header' ? [...new Set(variablesIn(component.text ?? ''))] : []
  const isMedia = type === 'header' && ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(component.format ?? '')
  const expected = isMedia ? 1 : variables.length
  if (type !== 'body' && type !== 'header') return
  if (given.length !== expected)
    throw graphError(
      132000,
      `${type}: number of localizable_params (${given.length}) does not match the expected number of params (${expected})`,
    )
  if (isMedia && given[0]?.type !== component.format?.toLowerCase())
    throw graphError(132012, `header: expected ${component.format}`)
  if (
    template.parameter_format === 'NAMED' &&
    variables.some((variable) => !given.some((one) => one.parameter_name === variable))
  )
    throw graphError(132000, `${type}: Parameter name is missing or does not match`)
  if (given.some((one) => one.type === 'text' && !one.text))
    throw graphError(131008, `${type}: a text parameter is empty`)
  if (given.some((one) => one.type === 'text' && /[\n\t]|\s{5,}/.test(one.text ?? '')))
    throw graphError(132018, 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces')
}

const MEDIA = ['image', 'video', 'audio', 'document', 'sticker'] as const

/** Whether a message or a header of this kind is a file. */
export const isMedia = (kind: string): kind is ChatMedia['kind'] => (MEDIA as readonly string[]).includes(kind)

/** The file a message names, by its id or its address. */
export function toChatMedia(
  kind: ChatMedia['kind'],
  part: { id?: unknown; link?: unknown; filename?: unknown },
): ChatMedia {
  const text = (value: unknown) => (value === undefined ? null : String(value))
  return { kind, id: text(part.id), link: text(part.link), name: text(part.filename) ?? '' }
}

/** What the person sees of a template: header, text, footer and buttons with the values in their variables. */
export function renderTemplate(template: GraphTemplate, sent: SentTemplate) {
  const findParameters = (type: string) =>
    sent.components?.find((one) => one.type.toLowerCase() === type)?.parameters ?? []
  const fill = (type: string, text: string) => {
    const values = findParameters(type)
    return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, variable: string) => {
      const named = values.find((one) => one.parameter_name === variable)
      return (named ?? values[Number(variable) - 1])?.text ?? ''
    })
  }
  const part = (type: string) => template.components.find((one) => one.type.toUpperCase() === type)
  const header = part('HEADER')
  const format = (header?.format ?? '').toLowerCase()
  const file = (findParameters('header')[0] as Record<string, Parameters<typeof toChatMedia>[1]> | undefined)?.[format]
  const payloads = sent.components?.filter((one) => one.type.toLowerCase() === 'button') ?? []
  const buttons = (part('BUTTONS')?.buttons ?? []).map((one, index) => {
    const parameter = payloads.find((given) => String(given.index) === String(index))?.parameters?.[0] as
      | { payload?: string }
      | undefined
    const text = one.text ?? ''
    return { text, payload: parameter?.payload ?? text, reply: one.type === 'QUICK_REPLY' }
  })
  return {
    header: format === 'text' ? fill('header', header?.text ?? '') : '',
    media: file && isMedia(format) ? toChatMedia(format, file) : null,
    text: fill('body', part('BODY')?.text ?? ''),
    footer: part('FOOTER')?.text ?? '',
    buttons,
  }
}
