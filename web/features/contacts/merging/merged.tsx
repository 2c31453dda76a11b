import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contactMerges } from '#contracts/contacts/merges.ts'
import { api, errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useContactsRefresh } from '../queries.ts'

/** What was merged into a contact lately, with a button that undoes the newest. */
export function Merged({ contactId }: { contactId: string }) {
  const queries = useQueryClient()
  const refresh = useContactsRefresh()
  const [busy, setBusy] = useState(false)
  const { data } = useQuery({
    queryKey: ['contacts', 'merges', contactId],
    queryFn: () => api(contactMerges.list, { params: { id: contactId } }),
  })
  const newest = data?.items[0]
  if (!newest) return null
  async function undo(mergeId: string) {
    setBusy(true)
    try {
      await api(contactMerges.undo, { params: { id: contactId }, body: { mergeId } })
      toast.success('Merge undone')
      await queries.invalidateQueries({ queryKey: ['contacts'] })
      await refresh()
    } catch (error) {
      toast.error(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Banner
      className="mb-5"
      action={
        <Button size="sm" busy={busy} onClick={() => void undo(newest.id)}>
          Undo merge
        </Button>
      }
    >
      <span className="wrap-anywhere">{newest.other}</span> was merged into this contact on {formatDay(newest.at)}. You
      can undo it until {formatDay(newest.undoUntil)}.
    </Banner>
  )
}
