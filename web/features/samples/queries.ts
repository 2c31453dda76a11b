import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sampleData } from '#contracts/samples/samples.ts'
import { api, errorMessage } from '#web/api.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'

export const SAMPLES_KEY = ['sample-data']

/** Whether there is sample data, and what it is. */
export function useSamples() {
  return useQuery({ queryKey: SAMPLES_KEY, queryFn: () => api(sampleData.get) })
}

/** Adds or removes the sample data; afterwards every list is loaded again. */
export function useSampleChange() {
  const queries = useQueryClient()
  const settle = { onSettled: () => queries.invalidateQueries() }
  const add = useMutation({
    ...settle,
    mutationFn: () => api(sampleData.add),
    onSuccess: () => toast.success('Sample data added'),
    onError: (error) => toast.error(errorMessage(error)),
  })
  const remove = useMutation({
    ...settle,
    mutationFn: () => api(sampleData.remove),
    onSuccess: () => toast.success('Sample data removed'),
    onError: (error) => toast.error(errorMessage(error)),
  })
  return { add, remove }
}
