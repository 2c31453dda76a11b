import { useQuery } from '@tanstack/react-query'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { api } from '#web/api.ts'
import { readAll } from '#web/query.ts'

/** Asked again this often while Meta reads one, because its answer comes by webhook. */
const REVIEW_MS = 3_000
/** … and while it reads none: it may pause one of its own accord. */
const REST_MS = 30_000
const READ = ['PENDING', 'IN_APPEAL']

/** A number's templates, newest first; all of them where no number is named. They change here while Meta reads them. */
export function useWhatsAppTemplates({
  accountId,
  status,
}: {
  accountId?: string | undefined
  status?: string | undefined
}) {
  return useQuery({
    queryKey: ['whatsapp', 'templates', { accountId, status }],
    queryFn: () => readAll((page) => api(whatsappTemplates.list, { query: { ...page, accountId, status } })),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some((one) => READ.includes(one.status)) ? REVIEW_MS : REST_MS,
  })
}
