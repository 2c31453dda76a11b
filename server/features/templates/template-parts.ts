import { createParts } from '#server/parts.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What another feature stores of templates. It calls templates, so templates cannot call it: it adds its part. */
export interface TemplatePart {
  /** Forgets a template where it is not needed, in the transaction that removes it. A foreign key that is left refuses the removal. */
  forget(db: Db, workspaceId: string, templateId: string): Promise<void>
}

export const { add: addTemplatePart, all: templateParts } = createParts<'campaigns' | 'contacts', TemplatePart>(
  'a template',
  ['campaigns', 'contacts'],
)
