import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Every change of path shows the page from its top, or from the part its hash names. A reload stays where it was. */
export function useScrollToTop(): void {
  const { pathname, hash } = useLocation()
  const shown = useRef({ pathname, hash })

  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { pathname, hash }
    if (before.pathname === pathname && before.hash === hash) return
    const part = hash && document.getElementById(decodeURIComponent(hash.slice(1)))
    if (part) part.scrollIntoView()
    else if (before.pathname !== pathname) scrollTo({ top: 0, left: 0, behavior: 'instant' })
  }, [pathname, hash])

  useEffect(() => {
    // Going back would be scrolled by the browser first and by us after; a reload is left to the browser alone.
    const leave = () => {
      history.scrollRestoration = 'auto'
    }
    history.scrollRestoration = 'manual'
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])
}
