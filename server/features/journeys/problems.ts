/** What has to be fixed before a journey can be activated, as far as it is known without rendering its emails. */

import { labelField, toSentence } from '#contracts/invalid-input.ts'
import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import type { Journey } from '#contracts/journeys/journeys.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type ProgramStep, toProgram } from './program.ts'
import { findMissingReferences } from './references.ts'

export type JourneyProblem = Journey['problems'][number]

export const error = (stepId: string | null, field: string, message: string): JourneyProblem => ({
  ...{ stepId, field, severity: 'error' as const, message },
})

const CHOICES = {
  ...{ listId: 'Choose a list.', tagId: 'Choose a tag.', segmentId: 'Choose a segment.' },
  ...{ templateId: 'Choose a template.', name: 'Choose an event.' },
}

/** Emails without a subject, neither their own nor one of their template. */
async function emailProblems(db: Db, workspaceId: string, steps: ProgramStep[]): Promise<JourneyProblem[]> {
  const emails = steps.flatMap(({ step, path }) => (step.kind === 'email' ? [{ ...step, path }] : []))
  const ids = [...new Set(emails.flatMap(({ templateId }) => templateId ?? []))]
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('templates')
          .where('workspaceId', '=', workspaceId)
          .where('id', 'in', ids)
          .select(['id', 'subject'])
          .execute()
  const subjects = new Map(rows.map(({ id, subject }) => [id, subject]))
  return emails.flatMap(({ id, subject, templateId, path }) =>
    subject.trim() || subjects.get(templateId ?? '')?.trim() ? [] : [error(id, `${path}.subject`, 'Add a subject.')],
  )
}

/** What a draft may leave open. */
function openChoices({ trigger }: JourneyDefinition, steps: ProgramStep[]): JourneyProblem[] {
  const choose = (stepId: string | null, path: string, of: object): JourneyProblem[] =>
    Object.entries(CHOICES).flatMap(([field, message]) =>
      (of as Record<string, unknown>)[field] === null ? [error(stepId, `${path}.${field}`, message)] : [],
    )
  return [
    ...choose(null, 'trigger', trigger),
    ...steps.flatMap(({ step, path }) => choose(step.id, path, step)),
    ...steps.flatMap(({ step, path }) =>
      step.kind === 'branch' && step.filter.items.length === 0
        ? [error(step.id, `${path}.filter`, 'Add a condition.')]
        : [],
    ),
    ...steps.flatMap(({ step, path }) =>
      step.kind === 'set_field' && Object.keys(step.attributes).length === 0
        ? [error(step.id, `${path}.attributes`, 'Choose a field.')]
        : [],
    ),
  ]
}

/** What hinders a definition, or will: without a step it does nothing, and what it names may have been deleted. */
export async function findProblems(
  db: Db,
  workspaceId: string,
  definition: JourneyDefinition,
): Promise<JourneyProblem[]> {
  const steps = [...toProgram(definition).steps.values()]
  const missing = await findMissingReferences(db, workspaceId, definition)
  return [
    ...(steps.length === 0 ? [error(null, 'steps', 'Add a step.')] : []),
    ...openChoices(definition, steps),
    ...missing.map(({ stepId, path, message }) => error(stepId, path, toSentence(labelField(path), message))),
    ...(await emailProblems(db, workspaceId, steps)),
  ]
}
