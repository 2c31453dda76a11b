import { useEffect, useRef } from 'react'

/** A text that was changed by another part of the page than the one that works on it; a new object each time. */
export type Outside = { text: string } | null

/** Takes over what was changed outside since this part of the page stands; what was changed before, it began with. */
export function useOutside(outside: Outside, take: (text: string) => void): void {
  const seen = useRef(outside)
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    if (outside === seen.current) return
    seen.current = outside
    if (outside) latest.current(outside.text)
  }, [outside])
}
