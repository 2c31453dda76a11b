import type { z } from 'zod'
import type { whatsappAutomations } from '#contracts/whatsapp/automations.ts'
import { unknownId } from '#server/platform/http/refusal.ts'
import { isOptOut } from '../consents/keywords.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'
import { decide, type Talk } from './engine.ts'
import { activeAutomations, knownContact } from './store.ts'

type SimulationRequest = z.output<typeof whatsappAutomations.simulate.body>
type Simulated = z.output<typeof whatsappAutomations.simulate.response>

const MINUTE = 60_000

/** Plays messages through the engine that also sends the real replies. Nothing is sent or stored. */
export async function simulate(
  services: Pick<WhatsAppServices, 'db'>,
  workspaceId: string,
  given: SimulationRequest,
): Promise<Simulated> {
  await findAccount(services, workspaceId, given.accountId).catch(() => {
    throw unknownId('accountId')
  })
  const contact = await knownContact(services.db, workspaceId, given.contactId ?? null)
  if (given.contactId && !contact) throw unknownId('contactId')
  const automations = await activeAutomations(services.db, workspaceId, given.accountId)
  const start = given.at ? Date.parse(given.at) : Date.now()
  const state: Pick<Talk, 'flow' | 'isHeld' | 'recent'> = { flow: null, isHeld: false, recent: [] }
  const steps: Simulated['steps'] = []
  let fields: Record<string, string> = {}
  const note = (from: 'person' | 'automation', text: string, more: Partial<Simulated['steps'][number]> = {}) =>
    steps.push({ from, text, buttons: [], automationId: null, automationName: '', why: '', ...more })

  given.messages.forEach((text, index) => {
    const at = new Date(start + index * MINUTE)
    if (isOptOut(text)) {
      note('person', text, {
        why: 'This stops promotions: the person is suppressed at once, and it is confirmed once.',
      })
      state.flow = null
      return
    }
    const talk: Talk = { ...state, text, payload: '', at, contact, profileName: '', isFirst: index === 0 }
    const decision = decide(automations, talk)
    note('person', text, decision.says.length === 0 ? { why: decision.why } : {})
    for (const { text, buttons } of decision.says)
      note('automation', text, {
        buttons,
        automationId: decision.automation?.id ?? null,
        automationName: decision.automation?.name ?? '',
        why: decision.why,
      })
    if (decision.automation) state.recent = [...state.recent, { automationId: decision.automation.id, at }]
    state.flow = decision.flow
    state.isHeld ||= decision.handOver
    fields = { ...fields, ...decision.fields }
  })
  return { steps, fields, handedOver: state.isHeld }
}
