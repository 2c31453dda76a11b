import { siteRules } from '#contracts/site/site.ts'

/**
 * Runs in the head before anything is painted, and alone: it is written into the page as text, so that it works before
 * the bundles are there and when they cannot be fetched. Knows the session's presence, the loader after a reload, the consent dialog, and
 * says when a part of the page's program did not come.
 */
function firstMoments(rules: typeof siteRules) {
  const root = document.documentElement
  const stored = (key: string) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  if (stored('token') || stored('authToken')) root.dataset.signedIn = ''

  const asksConsent = (rules.consentPaths as readonly string[]).includes(location.pathname)
  const consent = stored(rules.consentKey)
  if (asksConsent && consent === 'rejected') location.replace(rules.searchSite)
  const ask = () => {
    const dialog = document.querySelector<HTMLDialogElement>('dialog[data-consent]')
    // By its attribute: neither the page behind it nor the focus is taken.
    if (dialog && asksConsent && consent === null) dialog.open = true
  }

  const [visit] = performance.getEntriesByType('navigation')
  if ((visit as PerformanceNavigationTiming | undefined)?.type === 'reload') {
    root.dataset.reloaded = ''
    root.dataset.loading = ''
    const end = () => {
      delete root.dataset.loading
      ask()
    }
    // Counted from the first image, so that it is seen for the whole time.
    requestAnimationFrame(() => setTimeout(end, rules.loader))
  } else addEventListener('DOMContentLoaded', ask)

  // Here and not in React, so that the choice counts from the first moment.
  addEventListener('click', (event) => {
    const choice = (event.target as Element).closest<HTMLElement>('[data-consent-choice]')?.dataset.consentChoice
    if (!choice) return
    try {
      localStorage.setItem(rules.consentKey, choice)
    } catch {
      // Where nothing can be stored, it is asked again next time.
    }
    if (choice === 'rejected') location.replace(rules.searchSite)
    else document.querySelector<HTMLDialogElement>('dialog[data-consent]')?.close()
  })

  const failed = () => {
    const notice = document.getElementById('load-failure')
    if (notice && root.dataset.ready === undefined) notice.hidden = false
  }
  addEventListener('error', (event) => event.target instanceof HTMLScriptElement && failed(), true)
  addEventListener('unhandledrejection', (event) => event.reason instanceof TypeError && failed())
}

/** The text of that script; only the server needs it. */
export const firstMomentsScript = import.meta.env.SSR ? `(${firstMoments})(${JSON.stringify(siteRules)})` : ''
