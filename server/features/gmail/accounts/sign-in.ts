import { PASSWORD_REFUSED } from '#server/adapters/google/gmail-smtp.ts'
import { noteRefusal, noteRefusalOver } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Notes that the password of an account is not taken any more; without `refused` that it is again, should that have been the trouble. */
export const noteSignIn = (
  db: Db,
  workspaceId: string,
  senderId: string,
  refused: string | undefined,
): Promise<void> =>
  refused === undefined
    ? noteRefusalOver(db, workspaceId, senderId, PASSWORD_REFUSED)
    : noteRefusal(db, workspaceId, senderId, refused)
