import { findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import { createGate, type Gate, type SenderProblem, slotStep } from '#server/engine/index.ts'
import {
  markTemplatesStale,
  type NumberRow,
  noteState,
  setTemplateStatus,
  takeSlots,
  writeRest,
} from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { pauseSending } from '../../sending/state-text.ts'
import { pauseForNumber, pauseForTemplates } from './statuses.ts'

/** A number's throughput counts what comes in too: some of it is left to the inbox. */
const SHARE = 0.9
const gates = new Map<string, { step: number; gate: Gate }>()

/**
 * Lets a number's campaigns through at its pace, over all workers and all workspaces it is connected in: the slots come
 * from its oldest row. The pace is halved each time Meta says it is too fast, and comes back minute by minute.
 */
export function findGate(db: Db, number: NumberRow): Gate {
  const step = slotStep(Math.max(1, number.perSecond * SHARE))
  const known = gates.get(number.id)
  if (known && known.step === step) return known.gate
  const gate = createGate({
    batch: Math.max(1, Math.floor(number.perSecond / 8)),
    async reserve(count) {
      const { now, last, step: each } = await takeSlots(db, number.phoneNumberId, step, count)
      return { now, slots: Array.from({ length: count }, (_, i) => last - (count - i) * each) }
    },
  })
  gates.set(number.id, { step, gate })
  return gate
}

/** What Meta's refusal of a template says of it; the others are read anew, to see what became of them. */
const TEMPLATE_STATES = new Map([
  [132015, 'PAUSED'],
  [132016, 'DISABLED'],
])

/** A template Meta does not take: it is known from here on, so that no other campaign tries it. */
async function noteTemplate(db: Db, number: NumberRow, templateId: string, code: number): Promise<void> {
  const status = TEMPLATE_STATES.get(code)
  if (status === undefined) return markTemplatesStale(db, number.id)
  await setTemplateStatus(db, number.workspaceId, templateId, status)
  await pauseForTemplates(db, number.workspaceId, number.businessAccountId)
}

/** Nothing more can leave through this number now. Returns when to look again; what needs a person pauses the campaign. */
export async function restNumber(
  db: Db,
  campaign: { id: string; templateId: string },
  number: NumberRow,
  problem: SenderProblem,
): Promise<{ again: number; text?: string }> {
  const { kind, text, code, until } = problem
  if (kind === 'auth' || kind === 'sender') {
    const { ofTemplate } = findCodeMeaning(code ?? -1)
    if (ofTemplate) {
      await noteTemplate(db, number, campaign.templateId, code ?? -1)
      await pauseSending(db, campaign.id, `Paused: ${text} Nothing is lost. Resume it once the template can be sent.`)
      return { again: 0 }
    }
    await noteState(db, number.workspaceId, number.id, kind === 'auth' ? 'reconnect' : 'restricted', text)
    const words = `Paused: ${text} Nothing is lost. Fix ${number.displayPhone}, then resume.`
    await pauseForNumber(db, number.workspaceId, number.id, words, code)
    await pauseSending(db, campaign.id, words)
    return { again: 0 }
  }
  const told = until === undefined ? 0 : (Date.parse(until) - Date.now()) / 1_000
  const gap =
    kind === 'quota' ? Math.min(300, 2 ** number.troubles) : Math.min(900, 5 * 2 ** Math.min(number.troubles, 8))
  const seconds = Math.max(told, gap) * (1 + Math.random() / 4)
  await writeRest(db, number, seconds, kind === 'quota' ? undefined : text)
  return {
    again: seconds * 1_000,
    text: `Waiting: ${text} It continues automatically${seconds < 30 ? '' : ` in about ${Math.ceil(seconds / 60)} minutes`}. Nothing is lost.`,
  }
}
