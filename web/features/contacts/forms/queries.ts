import { useQuery } from '@tanstack/react-query'
import { forms } from '#contracts/contacts/forms.ts'
import { api } from '#web/api.ts'
import { readAll } from '#web/query.ts'

/** Every form of the workspace; they are few. */
export function useForms() {
  return useQuery({ queryKey: ['forms'], queryFn: () => readAll((page) => api(forms.list, { query: page })) })
}

/** One form. */
export function useSignUpForm(id: string | undefined) {
  return useQuery({
    queryKey: ['forms', id],
    queryFn: () => api(forms.get, { params: { id: id ?? '' } }),
    enabled: id !== undefined,
    // What is being edited is not replaced by what is stored.
    refetchOnWindowFocus: false,
  })
}
