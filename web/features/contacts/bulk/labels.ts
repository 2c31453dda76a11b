import { BULK_UNDO_HOURS, type ContactJob, type UndoObstacle } from '#contracts/contacts/bulk.ts'
import type { Badge } from '#web/ui/feedback/badge.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'

/** What is said before a removal. */
export const HOW_TO_UNDO = `You can undo this for ${BULK_UNDO_HOURS} hours under Recent changes on the contacts page.`

/** What a change did, in a few words: "12 contacts added to Friends". */
export function describeChange({ action, names, changed }: Pick<ContactJob, 'action' | 'names' | 'changed'>): string {
  const who = plural(changed, 'contact')
  switch (action) {
    case 'addToList':
      return `${who} added to ${names[0] ?? 'a list that was deleted'}`
    case 'removeFromList':
      return `${who} removed from ${names[0] ?? 'a list that was deleted'}`
    case 'tag':
      return `${who} tagged ${names[0] ?? 'with a tag that was deleted'}`
    case 'untag':
      return `${names[0] ?? 'A tag that was deleted'} removed from ${who}`
    case 'setField':
      return `${who} updated: ${names.map((name) => (name === 'name' ? 'Name' : name)).join(', ')}`
    case 'unsubscribe':
      return `${who} unsubscribed`
    case 'suppress':
      return `${who} suppressed`
    case 'recordConsent':
      return changed === 0 ? 'No consent recorded' : `Consent recorded for ${who}`
    case 'delete':
      return `${who} removed`
    case 'enrol':
      return `${who} enrolled in ${names[0] ?? 'a journey that was deleted'}`
    case 'undo':
      return `Undone for ${who}`
  }
}

/** The same of a consent, with who was skipped. */
export function describeConsents(job: Pick<ContactJob, 'action' | 'names' | 'changed' | 'processed'>): string {
  const skipped = job.processed - job.changed
  const who = `${plural(skipped, 'contact')} without a phone number, or who opted out`
  return skipped === 0 ? describeChange(job) : `${describeChange(job)}. Skipped: ${who}.`
}

/** What an enrollment did; nothing: nobody was new to the journey, or it is for others. */
export const describeEnrollment = (job: Pick<ContactJob, 'action' | 'names' | 'changed'>): string =>
  job.changed === 0 ? 'No one entered. They entered before or do not match the entry filter' : describeChange(job)

type BadgeLabel = { label: string } & Pick<React.ComponentProps<typeof Badge>, 'tone' | 'shape'>

const stateLabels = {
  queued: { label: 'Queued', tone: 'accent', shape: 'clock' },
  running: { label: 'Running', tone: 'accent', shape: 'running' },
  done: { label: 'Done', tone: 'good', shape: 'check' },
  failed: { label: 'Failed', tone: 'harm', shape: 'cross' },
} as const satisfies Record<ContactJob['state'], BadgeLabel>

const undoLabels = {
  queued: { label: 'Undoing', tone: 'accent', shape: 'running' },
  running: { label: 'Undoing', tone: 'accent', shape: 'running' },
  done: { label: 'Undone', tone: 'neutral', shape: 'minus' },
  failed: { label: 'Undo failed', tone: 'harm', shape: 'cross' },
} as const satisfies Record<ContactJob['state'], BadgeLabel>

/** The state of a change, or of its undo. */
export const labelState = ({ state, undone }: ContactJob): BadgeLabel =>
  undone ? undoLabels[undone.state] : stateLabels[state]

/** Why a change cannot be undone, or what its undo did. */
export function describeObstacle(obstacle: UndoObstacle, job: ContactJob): string {
  const { action, undone, processed, total, changed } = job
  switch (obstacle) {
    case 'not_undoable':
      return action === 'enrol' ? 'Contacts who entered a journey stay in it.' : 'An undo cannot be undone.'
    case 'not_ended':
      return `${formatNumber(processed)}${total === null ? '' : ` of ${formatNumber(total)}`} checked. You can undo it when it is done.`
    case 'already_undone':
      return describeUndone(undone, changed)
    case 'nothing_changed':
      return 'Nothing to undo: no contact was changed.'
    case 'target_deleted':
      return 'The list or tag was deleted, so this can no longer be undone.'
    case 'too_late':
      return `It is more than ${BULK_UNDO_HOURS} hours old and can no longer be undone.`
  }
}

function describeUndone(undone: ContactJob['undone'], changed: number): string {
  if (undone?.state === 'queued' || undone?.state === 'running') return 'The undo is running.'
  const back = undone?.changed ?? 0
  const done = `Undone for ${plural(back, 'contact')}.`
  if (undone?.state === 'failed') return `${done} The undo failed for the others.`
  return back < changed ? `${done} The others were changed since, or cannot be restored.` : done
}
