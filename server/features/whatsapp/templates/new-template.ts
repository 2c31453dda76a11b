import type { z } from 'zod'
import type { NewTemplate } from '#contracts/whatsapp/templates.ts'
import type { RawTemplate } from '#server/adapters/whatsapp/api.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { placesOf } from './shape.ts'

export type New = z.output<typeof NewTemplate>

const isNamed = (places: string[]) => places.some((place) => !/^\d+$/.test(place))

/** Refuses what Meta would refuse after a day of review, while it can be fixed at once. */
export function checkNew(given: New): void {
  const places = placesOf(given.body)
  const numbered = places.filter((place) => /^\d+$/.test(place))
  if (numbered.length > 0 && isNamed(places))
    throw invalid('body', 'mixes numbered and named places: use one way throughout')
  if (numbered.some((_, at) => !numbered.includes(String(at + 1))))
    throw invalid('body', 'has to number its places 1, 2, 3 without a gap')
  if (/^\s*\{\{|\}\}\s*$/.test(given.body))
    throw invalid('body', 'may not begin or end with a place: put words around it')
  if (/\}\}\s*\{\{/.test(given.body)) throw invalid('body', 'has two places side by side: put words between them')
  const words = given.body
    .replaceAll(/\{\{\s*\w+\s*\}\}/g, '')
    .split(/\s+/)
    .filter(Boolean).length
  if (places.length > 0 && words < places.length * 2 + 1)
    throw invalid('body', 'has too few words for its places: Meta would refuse it')
  const without = places.find((place) => !given.examples[place])
  if (without) throw invalid('examples', `need one for {{${without}}}: Meta’s reviewers read it with examples`)
  if (placesOf(given.footer).length > 0) throw invalid('footer', 'may hold no places')
  if (given.header?.format === 'text') {
    const headers = placesOf(given.header.text)
    if (headers.length > 1) throw invalid('header', 'may hold one place at most')
    if (headers.length === 1 && !given.header.example) throw invalid('header', 'needs an example for its place')
  }
  checkButtons(given.buttons)
}

function checkButtons(buttons: New['buttons']): void {
  const kinds = buttons.map(({ type }) => type)
  if (kinds.filter((type) => type === 'url').length > 2) throw invalid('buttons', 'may be two addresses at most')
  if (kinds.filter((type) => type === 'phone').length > 1) throw invalid('buttons', 'may be one phone number at most')
  const first = kinds.indexOf('quick_reply')
  const run = kinds.slice(first, first + kinds.filter((type) => type === 'quick_reply').length)
  if (run.some((type) => type !== 'quick_reply')) throw invalid('buttons', 'that reply have to stand together')
  for (const button of buttons) {
    if (button.type !== 'url') continue
    if (!/^https?:\/\/[^\s{}]+(\{\{1\}\})?$/.test(button.url))
      throw invalid('buttons', 'that lead somewhere need an address, with {{1}} at its very end if it changes')
    if (button.url.includes('{{') && !button.example)
      throw invalid('buttons', 'with a changing address need an example of it')
  }
}

type Example = (kind: 'body' | 'header', names: string[], filled: (name: string) => string) => object

/** The head as Meta takes it: a line with an example of its place, or the sample of a file. */
function headerOf(header: New['header'], example: Example) {
  if (!header) return []
  if (header.format !== 'text')
    return [{ type: 'HEADER', format: header.format.toUpperCase(), example: { header_handle: [header.handle] } }]
  const places = placesOf(header.text)
  return [
    {
      type: 'HEADER',
      format: 'TEXT',
      text: header.text,
      ...(places.length > 0 && { example: example('header', places, () => header.example ?? '') }),
    },
  ]
}

/** What is handed to Meta, as its reference has it. */
export function rawOf(given: New): Omit<RawTemplate, 'id' | 'status' | 'reason' | 'quality'> {
  const places = placesOf(given.body)
  const named = isNamed(places)
  const example: Example = (kind, names, filled) =>
    named
      ? { [`${kind}_text_named_params`]: names.map((name) => ({ param_name: name, example: filled(name) })) }
      : { [`${kind}_text`]: kind === 'body' ? [names.map(filled)] : names.map(filled) }
  const ordered = named ? places : places.toSorted((a, b) => Number(a) - Number(b))
  const body = {
    type: 'BODY',
    text: given.body,
    ...(places.length > 0 && { example: example('body', ordered, (name) => given.examples[name] ?? '') }),
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
      ...headerOf(given.header, example),
      body,
      ...(given.footer ? [{ type: 'FOOTER', text: given.footer }] : []),
      ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
    ],
  }
}
