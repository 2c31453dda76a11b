/** The first stop of the keyboard: past the navigation, to the element with the id `content`. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-3 focus:py-2"
    >
      Skip to main content
    </a>
  )
}
