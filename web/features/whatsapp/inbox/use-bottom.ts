import { useEffect, useLayoutEffect, useRef } from 'react'

const NEAR_PX = 120

/**
 * Keeps the end of a scrolled box in sight, also as images load and the box shrinks, unless somebody reads further up.
 * `newest`: the id of what stands last; when another comes in and the end is near, it is followed. The box's first child
 * is what grows.
 */
export function useBottom(box: React.RefObject<HTMLElement | null>, newest: string | undefined): void {
  const isNear = useRef(true)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const note = () => {
      isNear.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
    }
    const follow = () => {
      if (isNear.current) element.scrollTo(0, element.scrollHeight)
    }
    element.addEventListener('scroll', note, { passive: true })
    const watched = new ResizeObserver(follow)
    watched.observe(element)
    if (element.firstElementChild) watched.observe(element.firstElementChild)
    return () => {
      element.removeEventListener('scroll', note)
      watched.disconnect()
    }
  }, [box])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `newest` says that there is something new to follow
  useLayoutEffect(() => {
    if (isNear.current) box.current?.scrollTo(0, box.current.scrollHeight)
  }, [box, newest])
}
