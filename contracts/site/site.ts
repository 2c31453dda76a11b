/** Delays, addresses and keys of the public site; docs/specification.md fixes most of them. Times in milliseconds. */
export const siteRules = {
  /** Where someone goes who rejects consent. */
  searchSite: 'https://duckduckgo.com/',
  /** Key in localStorage; `accepted` or `rejected`. */
  consentKey: 'userConsent',
  /** The pages that ask. */
  consentPaths: ['/', '/home'],
  /** How long the loader covers a page that was reloaded. */
  loader: 800,
  /** After the page's load, until the pages beside it are fetched. */
  preload: 400,
  carousel: {
    autoplay: 4_000,
    /** From so many pixels of window width on: slides side by side, and the gap between them. */
    steps: {
      0: { slides: 1, gap: 24 },
      640: { slides: 1, gap: 24 },
      768: { slides: 2, gap: 16 },
      1024: { slides: 3, gap: 32 },
    },
  },
} as const
