import { graphError } from './graph-error.ts'

interface ReplyChoice {
  id?: unknown
  title?: unknown
}

interface Interactive {
  type?: unknown
  body?: { text?: unknown }
  action?: {
    button?: unknown
    buttons?: { type?: unknown; reply?: ReplyChoice }[]
    sections?: { rows?: ReplyChoice[] }[]
  }
}

const missing = (what: string) => graphError(131008, `Required parameter '${what}' is missing`)
const wrong = (details: string) => graphError(131009, details)

/** Choices that can be told apart, within the limits of their kind. */
function checked(
  choices: ReplyChoice[],
  limits: { most: number; id: number; title: number },
): { id: string; title: string }[] {
  if (choices.length < 1 || choices.length > limits.most) throw wrong(`There are 1 to ${limits.most} choices`)
  const read = choices.map((one) => {
    const [id, title] = [one?.id, one?.title]
    if (typeof id !== 'string' || id.trim() === '') throw missing('id')
    if (typeof title !== 'string' || title.trim() === '') throw missing('title')
    if (id.length > limits.id || id !== id.trim()) throw wrong(`An id has at most ${limits.id} characters`)
    if (title.length > limits.title) throw wrong(`A title has at most ${limits.title} characters`)
    return { id, title }
  })
  if (new Set(read.map(({ id }) => id)).size < read.length) throw wrong('Ids have to differ')
  return read
}

/**
 * What a message with reply buttons or a list offers. Other kinds are taken by their text alone. Throws GraphError 131008,
 * 131009 where Meta would.
 */
export function parseInteractive(part: Interactive): {
  text: string
  isList: boolean
  choices: { id: string; title: string }[]
} {
  const { type, body, action } = part
  if (typeof type !== 'string') throw missing('interactive.type')
  const text = body?.text
  if (typeof text !== 'string' || text === '') throw missing('interactive.body')
  if (text.length > (type === 'list' ? 4_096 : 1_024)) throw wrong('The text of an interactive message is too long')
  if (type === 'button') {
    if (!Array.isArray(action?.buttons)) throw missing('interactive.action.buttons')
    if (action.buttons.some((one) => one?.type !== 'reply')) throw wrong("A button is of the type 'reply'")
    const choices = checked(
      action.buttons.map((one) => one.reply ?? {}),
      { most: 3, id: 256, title: 20 },
    )
    if (new Set(choices.map(({ title }) => title)).size < choices.length)
      throw wrong('Titles of buttons have to differ')
    return { text, isList: false, choices }
  }
  if (type !== 'list') return { text, isList: false, choices: [] }
  const { button, sections } = action ?? {}
  if (typeof button !== 'string' || button === '') throw missing('interactive.action.button')
  if (button.length > 20) throw wrong('The button of a list has at most 20 characters')
  if (!Array.isArray(sections)) throw missing('interactive.action.sections')
  const rows = sections.flatMap((one) => one?.rows ?? [])
  return { text, isList: true, choices: checked(rows, { most: 10, id: 200, title: 24 }) }
}
