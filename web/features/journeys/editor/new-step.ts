import type { JourneyStep } from '#contracts/journeys/definition.ts'
import { listSteps, type StepKind } from './tree.ts'

/** A step as it is before anything is chosen; `steps`: those there are, so that emails are numbered. */
export function newStep(kind: StepKind, id: string, steps: JourneyStep[]): JourneyStep {
  switch (kind) {
    case 'email': {
      const emails = listSteps(steps).filter((step) => step.kind === 'email').length
      const texts = { name: emails === 0 ? 'Email' : `Email ${emails + 1}`, subject: '', preheader: '', fromName: '' }
      return { id, kind, ...texts, templateId: null, senderId: null, replyTo: null }
    }
    case 'wait':
      return { id, kind, amount: 1, unit: 'days' }
    case 'branch':
      return { id, kind, filter: { op: 'and', items: [] }, yes: [], no: [] }
    case 'tag':
    case 'untag':
      return { id, kind, tagId: null }
    case 'add_to_list':
    case 'remove_from_list':
      return { id, kind, listId: null }
    case 'set_field':
      return { id, kind, attributes: {} }
    case 'exit':
      return { id, kind }
  }
}
