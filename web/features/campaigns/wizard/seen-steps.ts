import { useEffect, useState } from 'react'
import type { StepId } from './wizard-steps.ts'

const toKey = (id: string) => `wizard-seen:${id}`

function read(id: string): StepId[] {
  try {
    return JSON.parse(localStorage.getItem(toKey(id)) ?? '[]')
  } catch {
    return []
  }
}

/** The steps of a draft that were opened in this browser; those of a new draft are noted once it has an id. */
export function useSeenSteps(id: string, current: StepId): ReadonlySet<StepId> {
  const [own, setOwn] = useState<StepId[]>([])
  const seen = new Set<StepId>([...(id ? read(id) : []), ...own, current])
  const list = [...seen].join(' ')
  useEffect(() => {
    const steps = list.split(' ') as StepId[]
    setOwn(steps)
    if (!id) return
    try {
      localStorage.setItem(toKey(id), JSON.stringify(steps))
    } catch {
      // A browser that stores nothing asks again.
    }
  }, [id, list])
  return seen
}
