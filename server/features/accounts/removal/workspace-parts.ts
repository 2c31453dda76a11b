import { createParts } from '#server/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'

/** Runs `deleteSome` until it returns 0 or the run has to end. */
export type DeleteAll = (deleteSome: () => Promise<number>) => Promise<void>

/** What another feature does when a workspace is removed. It calls accounts, so accounts cannot call it: it adds its part. */
export interface WorkspacePart {
  /** Ends what runs, in the transaction that deletes the account. Returns what is to be done once that is committed. */
  stop(services: Services, db: Db, workspaceId: string): Promise<() => void>
  /** Whether something is in hand at this moment whose end is to be waited for. */
  isBusy?(db: Db, workspaceId: string): Promise<boolean>
  /** Empties its large tables in slices; what is small goes with the workspace. */
  empty(db: Db, workspaceId: string, all: DeleteAll): Promise<void>
}

export const { add: addWorkspacePart, all: workspaceParts } = createParts<
  'campaigns' | 'collector' | 'journeys',
  WorkspacePart
>('a workspace', ['campaigns', 'collector', 'journeys'])
