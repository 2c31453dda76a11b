import type { List } from '#contracts/contacts/lists.ts'
import { findDefaultAccount } from '#server/features/senders/index.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { findTemplateProblem } from '../confirmations/confirmation-email.ts'

/** Lists with why their unconfirmed members are not asked now, where that is so. */
export async function withProblems(services: Services, workspaceId: string, lists: List[]): Promise<List[]> {
  const isAsking = (list: List) => list.optin === 'double' && list.unconfirmed > 0
  if (!lists.some(isAsking)) return lists
  const found = await findDefaultAccount(services, workspaceId)
  if (!('problem' in found)) return lists
  return lists.map((list) => (isAsking(list) ? { ...list, confirmationProblem: found.problem } : list))
}

export const withProblem = async (services: Services, workspaceId: string, list: List): Promise<List> =>
  (await withProblems(services, workspaceId, [list]))[0] as List

/** Throws Refusal 400 where a template cannot be a confirmation email. */
export async function checkTemplate(
  services: Services,
  workspaceId: string,
  templateId: string | null | undefined,
): Promise<void> {
  const problem = templateId ? await findTemplateProblem(services, workspaceId, templateId) : undefined
  if (problem) throw invalid('confirmationTemplateId', problem)
}
