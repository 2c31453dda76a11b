import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type SandboxMail, sandbox } from '#contracts/sandbox/sandbox.ts'
import { api } from '#web/api.ts'
import { followMails, type MailFilter } from './follow.ts'

type MailPage = { items: SandboxMail[]; nextCursor: string | null; total?: number | undefined }

/** The list, newest first, in pages. */
export function useMails(of: MailFilter, q: string) {
  return useInfiniteQuery({
    queryKey: ['sandbox', 'list', of ?? '', q],
    queryFn: ({ pageParam }): Promise<MailPage> =>
      api(sandbox.list, {
        query: { limit: 50, ...(of && { of }), ...(q && { q }), ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** One mail, taken apart. It never changes. */
export function useMail(id: string) {
  return useQuery({
    queryKey: ['sandbox', 'mail', id],
    queryFn: () => api(sandbox.get, { params: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** One mail as it was received, as text. */
export function useSource(id: string) {
  return useQuery({
    queryKey: ['sandbox', 'source', id],
    queryFn: async () => (await api(sandbox.source, { params: { id } })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Puts new mail at the top of the list as it arrives; returns the ids that came while the page was open. */
export function useArrivals(of: MailFilter): Set<string> {
  const queries = useQueryClient()
  const [arrived, setArrived] = useState(new Set<string>())
  useEffect(() => {
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const reload = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void queries.invalidateQueries({ queryKey: ['sandbox', 'list'] })
      }, 700)
    }
    const take = (mail: SandboxMail) => {
      setArrived((old) => new Set(old).add(mail.id))
      const placed = queries.setQueryData<InfiniteData<MailPage>>(['sandbox', 'list', of ?? '', ''], (old) =>
        withMail(old, mail),
      )
      // In a flood not every email is announced: a gap in the ids, or a search, asks the server again.
      const [first, second] = placed?.pages[0]?.items ?? []
      const gap = first?.id !== mail.id || (second && Number(second.id) + 1 !== Number(first.id))
      if (
        gap ||
        queries
          .getQueryCache()
          .findAll({ queryKey: ['sandbox', 'list'], type: 'active' })
          .some((query) => query.queryKey[3])
      )
        reload()
    }
    void followMails(of, take, reload, ended.signal)
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [queries, of])
  return arrived
}

function withMail(old: InfiniteData<MailPage> | undefined, mail: SandboxMail): InfiniteData<MailPage> | undefined {
  const [first, ...rest] = old?.pages ?? []
  if (!old || !first || first.items.some(({ id }) => Number(id) >= Number(mail.id))) return old
  const total = first.total === undefined ? undefined : first.total + 1
  return { ...old, pages: [{ ...first, items: [mail, ...first.items], total }, ...rest] }
}
