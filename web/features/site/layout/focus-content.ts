import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** A page that follows another one takes the focus where the button that led to it is gone: Tab goes on in it, and not at the top of the window. */
export function useFocusContent(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
  }, [pathname])
}
