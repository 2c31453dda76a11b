import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { blog } from '#contracts/blog/blog.ts'
import { apiClient } from '#contracts/client.ts'
import { api } from '#web/api.ts'
import { storedToken } from '#web/session/session.ts'

/** One page of all posts for admins, found by a part of the title. The old page stays in sight while the next one comes. */
export function usePosts(query: { title: string; cursor: string | undefined }) {
  return useQuery({
    queryKey: ['blog', 'posts', query],
    queryFn: () => api(blog.list, { query: { ...query, drafts: 'true', limit: 50 } }),
    placeholderData: keepPreviousData,
  })
}

/**
 * The API as the editor calls it: a 401 does not end the session at once, so that what went wrong can be read before the
 * login page comes. Without a token it calls as nobody.
 */
export const editorApi = apiClient((path, init) => {
  const headers = new Headers(init.headers)
  const token = storedToken()
  if (token) headers.set('authorization', `Bearer ${token}`)
  return fetch(path, { ...init, headers })
})

/** The post that is edited, read once: what comes later must not overwrite what is being written. */
export function usePost(id: string) {
  return useQuery({
    queryKey: ['blog', 'post', id],
    queryFn: () => editorApi(blog.get, { params: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
