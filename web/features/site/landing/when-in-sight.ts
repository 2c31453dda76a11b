/** Resolves when what the server wrote into an element comes into the window; at once where there is nothing yet, and on the server. */
export function whenInSight(id: string): Promise<void> {
  const element = typeof document === 'undefined' ? null : document.getElementById(id)
  if (!element?.firstElementChild) return Promise.resolve()
  return new Promise((resolve) => {
    const sight = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      sight.disconnect()
      resolve()
    })
    sight.observe(element)
  })
}
