import { useEffect, useRef, useState } from 'react'

/** Where an element of the email stands, in pixels of the email. */
export interface Box {
  top: number
  left: number
  width: number
  height: number
}

/** How wide the email may be: where it has less room than it asks for, it is shown smaller, as on a screen further away. */
export function useRoom() {
  const room = useRef<HTMLDivElement>(null)
  const [wide, setWide] = useState(0)
  useEffect(() => {
    const element = room.current
    if (!element) return
    const size = new ResizeObserver(([entry]) => setWide(entry?.contentRect.width ?? 0))
    size.observe(element)
    return () => size.disconnect()
  }, [])
  return { room, wide }
}

/** Scrolls a newly selected block into sight, once it is drawn; and the selected one where the room becomes lower. */
export function useScrollToSelected(
  room: React.RefObject<HTMLElement | null>,
  box: Box | null,
  selected: number | null,
  scale: number,
): void {
  const seen = useRef<number | null>(null)
  const height = useRef(0)
  useEffect(() => {
    if (selected === null) seen.current = null
    const around = room.current?.parentElement
    if (!box || !around) return
    if (seen.current !== selected) reveal(around, box, scale)
    seen.current = selected
    const size = new ResizeObserver(() => {
      if (around.clientHeight < height.current) reveal(around, box, scale)
      height.current = around.clientHeight
    })
    size.observe(around)
    return () => size.disconnect()
  }, [room, box, selected, scale])
}

function reveal(around: HTMLElement, box: Box, scale: number): void {
  const [top, bottom] = [box.top * scale, (box.top + box.height) * scale]
  if (top < around.scrollTop || bottom > around.scrollTop + around.clientHeight)
    around.scrollTo({ top: Math.max(0, top - around.clientHeight / 3) })
}
