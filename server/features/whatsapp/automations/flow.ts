import type { z } from 'zod'
import type { AutomationRules, Question } from '#contracts/whatsapp/automations.ts'

type Ask = z.infer<typeof Question>

/** A flow of questions under way in a conversation. */
export interface FlowState {
  automationId: string
  /** Which question waits for its answer. */
  at: number
  tries: number
  answers: Record<string, string>
}

export interface Saying {
  text: string
  buttons: string[]
}

export interface FlowStep {
  says: Saying[]
  /** null: it is over. */
  flow: FlowState | null
  /** What goes into the contact: all replies, once the last is given. */
  fields: Record<string, string>
  handOver: boolean
  why: string
}

const TRIES = 2
const asked = ({ ask, choices, expects }: Ask): Saying => ({ text: ask, buttons: expects === 'choice' ? choices : [] })

function parseDate(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const common = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text)
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : common ? [common[3], common[2], common[1]] : []
  if (!year || !month || !day) return undefined
  const shown = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const parsed = new Date(`${shown}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(shown) ? shown : undefined
}

/** A reply as it is stored, or undefined where it does not fit the question. */
export function parseAnswer({ expects, choices }: Ask, said: string): string | undefined {
  const text = said.trim().slice(0, 500)
  if (text === '') return undefined
  switch (expects) {
    case 'email':
      return /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;.]{2,}$/.test(text) ? text : undefined
    case 'number': {
      const plain = text.replace(',', '.')
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(plain) ? String(Number(plain)) : undefined
    }
    case 'date':
      return parseDate(text)
    case 'choice':
      return (
        choices.find((one) => one.toLowerCase() === text.toLowerCase()) ??
        (/^\d{1,2}$/.test(text) ? choices[Number(text) - 1] : undefined)
      )
    default:
      return text
  }
}

/** The first question of a flow, after what the automation says anyway. */
export function beginFlow(automationId: string, { questions }: AutomationRules): Pick<FlowStep, 'says' | 'flow'> {
  const [first] = questions
  return first
    ? { says: [asked(first)], flow: { automationId, at: 0, tries: 0, answers: {} } }
    : { says: [], flow: null }
}

/** The next step of a flow. It ends after its last question, or with a person after three answers that do not fit. */
export function continueFlow(flow: FlowState, rules: AutomationRules, said: string): FlowStep {
  const question = rules.questions[flow.at]
  if (!question)
    return { says: [], flow: null, fields: flow.answers, handOver: false, why: 'The questions have been changed.' }
  const answer = parseAnswer(question, said)
  if (answer === undefined && flow.tries >= TRIES)
    return {
      says: [],
      flow: null,
      fields: flow.answers,
      handOver: true,
      why: 'The answer was invalid for the third time: a person takes over.',
    }
  if (answer === undefined)
    return {
      says: [{ text: question.retry, buttons: asked(question).buttons }],
      flow: { ...flow, tries: flow.tries + 1 },
      fields: {},
      handOver: false,
      why: `The answer is not a valid ${question.expects}: the question is asked again.`,
    }
  const answers = { ...flow.answers, [question.field]: answer }
  const next = rules.questions[flow.at + 1]
  if (next)
    return {
      says: [asked(next)],
      flow: { ...flow, at: flow.at + 1, tries: 0, answers },
      fields: {},
      handOver: false,
      why: 'The next question.',
    }
  const says = rules.thanks ? [{ text: rules.thanks, buttons: [] }] : []
  return { says, flow: null, fields: answers, handOver: rules.handOver, why: 'The last question was answered.' }
}
