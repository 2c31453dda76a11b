import type { FastifyRequest } from 'fastify'
import type { mailMerge } from '#contracts/campaigns/mail-merge.ts'
import { createList, queueClearing, removeList, takeImport } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller, FormReader } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { type CampaignRow, campaignById } from '../../campaign-rows.ts'
import { holdDraft } from '../../follow-ups-store.ts'
import { setMerge } from '../../store.ts'

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
  const name = `Rows of ${campaign.name}`.slice(0, 120)
  let listId = ''
  const importId = await takeImport(services, caller, given.request, {
    read: given.form,
    async listOf(db) {
      if (!(await holdDraft(db, workspaceId, id))) throw conflict('not_a_draft', 'Only a draft can be changed.')
      listId = (await createList(db, workspaceId, { name, optin: 'single' })).id
      return listId
    },
    async taken(db, importId, mapping) {
      if (!Object.values(mapping).includes('email'))
        throw invalid('mapping', 'maps no column to email: Gmail needs an address in every row')
      await setMerge(db, workspaceId, id, { importId, listId })
      await forgetFormer(services, db, campaign)
    },
  })
  return { importId, listId }
}

/** Rows that were replaced leave no list behind, unless another campaign goes to it. */
async function forgetFormer({ queue }: Services, db: Db, { workspaceId, mergeListId }: CampaignRow): Promise<void> {
  if (!mergeListId) return
  const used = await db
    .selectFrom('campaignLists')
    .where('listId', '=', mergeListId)
    .select('listId')
    .executeTakeFirst()
  if (used) return
  await removeList(db, workspaceId, mergeListId)
  await queueClearing(queue, workspaceId, mergeListId, db)
}
