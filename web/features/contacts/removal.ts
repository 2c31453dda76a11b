import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import { api } from '#web/api.ts'
import { plural } from '#web/ui/lib/format.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { forEachItem } from './for-each-item.ts'

const GRACE = 7_000

/**
 * Removal with an undo: the rows go at once, the contacts only when the notice does. A user who closes the page
 * before that has removed nothing; one who leaves for another page of ours has.
 */
export function useContactRemoval() {
  const queries = useQueryClient()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const waiting = useRef(
    new Map<string, { ids: string[]; timer: ReturnType<typeof setTimeout>; notice: string | number }>(),
  )

  const show = (ids: string[]) => setHidden((old) => new Set([...old].filter((id) => !ids.includes(id))))

  async function carryOut(key: string) {
    const batch = waiting.current.get(key)
    if (!batch) return
    waiting.current.delete(key)
    clearTimeout(batch.timer)
    toast.dismiss(batch.notice)
    const failed = await forEachItem(batch.ids, (id) => api(contacts.remove, { params: { id } }))
    if (failed.length > 0) {
      toast.error(`${plural(failed.length, 'contact')} could not be removed. The others were removed.`)
      show(batch.ids)
    }
    await Promise.all(['contacts', 'lists'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }

  const latest = useRef(carryOut)
  latest.current = carryOut
  useEffect(
    () => () => {
      for (const key of waiting.current.keys()) void latest.current(key)
    },
    [],
  )

  function remove(ids: string[], name: string) {
    const key = ids.join(' ')
    setHidden((old) => new Set([...old, ...ids]))
    const undo = () => {
      const batch = waiting.current.get(key)
      if (!batch) return
      clearTimeout(batch.timer)
      waiting.current.delete(key)
      show(ids)
    }
    const notice = toast(`Removed ${name}`, { duration: GRACE, action: { label: 'Undo', onClick: undo } })
    waiting.current.set(key, { ids, notice, timer: setTimeout(() => void latest.current(key), GRACE) })
  }

  return { hidden, remove }
}
