import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { mailMerge } from '#contracts/campaigns/channels/gmail/mail-merge.ts'
import { createList, isListInSegments, queueClearing, removeList, takeImport } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller, FormReader } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { isListChosen, setOnlyList } from '../../audience/choice-store.ts'
import { campaignById } from '../../campaign-rows.ts'
import { holdDraft } from '../../follow-ups-store.ts'

/** Sends a Gmail draft to the rows of a file: an import into a list of its own. Throws Refusal 400, 404, 409 or 413. */
export async function mergeRows(
  services: Services,
  caller: Caller,
  id: string,
  given: { form: FormReader<typeof mailMerge.upload>; request: FastifyRequest },
): Promise<{ importId: string; listId: string }> {
  const { workspaceId } = caller
  const campaign = await campaignById(services.db, workspaceId, id)
  if (!campaign || campaign.parentId) throw notFound('Campaign')
  if (campaign.channel !== 'gmail')
    throw conflict(
      'wrong_channel',
      'Only a Gmail campaign can be sent to the rows of a file. For other campaigns, import the file into a list.',
    )
  const former = await formerList(services.db, workspaceId, id)
  const name = `Rows of ${campaign.name}`.slice(0, 120)
  let listId = ''
  const importId = await takeImport(services, caller, given.request, {
    read: given.form,
    async findTargetList(db) {
      if (!(await holdDraft(db, workspaceId, id))) throw conflict('not_a_draft', 'Only a draft can be changed.')
      listId = (await createList(db, workspaceId, { name, optin: 'single' })).id
      return listId
    },
    async taken(db, importId, mapping) {
      if (!Object.values(mapping).includes('email'))
        throw invalid('mapping', 'maps no column to email: Gmail needs an address in every row')
      await setImport(db, workspaceId, id, importId)
      await setOnlyList(db, workspaceId, id, listId)
      if (former) await forgetFormer(services, db, workspaceId, former)
    },
  })
  return { importId, listId }
}

/** Rows that were replaced leave no list behind, unless another campaign or a segment names it. */
async function forgetFormer({ queue }: Services, db: Db, workspaceId: string, listId: string): Promise<void> {
  if ((await isListChosen(db, workspaceId, listId)) || (await isListInSegments(db, workspaceId, listId))) return
  await removeList(db, workspaceId, listId)
  await queueClearing(queue, workspaceId, listId, db)
}

/** The list of the rows a campaign was given before, also where it goes to other lists now. */
async function formerList(db: Db, workspaceId: string, id: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .innerJoin('imports', (join) =>
      join
        .onRef('imports.workspaceId', '=', 'campaigns.workspaceId')
        .onRef('imports.id', '=', 'campaigns.mergeImportId'),
    )
    .where('campaigns.workspaceId', '=', workspaceId)
    .where('campaigns.id', '=', id)
    .select('imports.listId')
    .executeTakeFirst()
  return row?.listId
}

async function setImport(db: Db, workspaceId: string, id: string, importId: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ mergeImportId: importId, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
