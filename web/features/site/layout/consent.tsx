import { useEffect, useRef } from 'react'
import { siteRules } from '#contracts/site/site.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Mark } from '#web/ui/theme/brand.tsx'
import { LinkInText } from './link-in-text.tsx'

/**
 * Asks for consent over the landing page. A closed dialog in the server's page, so that robots and people without
 * scripts read on; first-moments.ts opens it as soon as the page is there and keeps the choice. Here it opens for those
 * who come from another page inside.
 */
export function Consent() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const consent = localStorage.getItem(siteRules.consentKey)
    if (consent === 'rejected') location.replace(siteRules.searchSite)
    // After a reload the script in the head asks, when the loader has gone.
    const isLoading = document.documentElement.dataset.loading !== undefined
    if (consent !== null || dialog.current?.open || isLoading) return
    dialog.current?.showModal()
    dialog.current?.focus()
  }, [])
  return (
    <dialog
      ref={dialog}
      data-consent
      tabIndex={-1}
      aria-labelledby="consent-title"
      aria-describedby="consent-text"
      // The script in the head may have opened it already.
      suppressHydrationWarning
      className="mx-auto mt-auto mb-4 w-[calc(100%-2rem)] max-w-xl rounded-dialog border bg-raised p-6 text-text shadow-dialog outline-none backdrop:bg-black/45 open:animate-float-in sm:mb-8 sm:p-7"
    >
      <Mark className="h-7 text-accent-text" />
      <h2 id="consent-title" className="mt-4 text-lg font-semibold">
        Your privacy
      </h2>
      <p id="consent-text" className="mt-2 text-md">
        Postlark stores your choice, your theme and, after you log in, your session in this browser. No advertising, no
        third parties, no tracking on these pages. If you decline, you’ll leave this site.{' '}
        <LinkInText to="/privacy-policy">Privacy Policy</LinkInText>
      </p>
      <div className="mt-6 flex flex-wrap gap-2.5 *:grow">
        <Button size="lg" data-consent-choice="rejected">
          Reject All
        </Button>
        <Button size="lg" data-consent-choice="accepted">
          Accept All
        </Button>
      </div>
    </dialog>
  )
}
