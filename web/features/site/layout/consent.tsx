import { useEffect, useRef } from 'react'
import { siteRules } from '#contracts/site/site.ts'
import { Button } from '#web/ui/form/button.tsx'
import { LinkInText } from './link-in-text.tsx'

/**
 * Asks for consent in a bar at the foot of the landing page, which can be read and used meanwhile. A closed dialog in the
 * server's page, so that robots and people without scripts read on; first-moments.ts opens it as soon as the page is
 * there and keeps the choice. Here it opens for those who come from another page inside.
 */
export function Consent() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const consent = localStorage.getItem(siteRules.consentKey)
    if (consent === 'rejected') location.replace(siteRules.searchSite)
    // After a reload the script in the head asks, when the loader has gone.
    const isLoading = document.documentElement.dataset.loading !== undefined
    if (consent === null && dialog.current && !isLoading) dialog.current.open = true
  }, [])
  return (
    <dialog
      ref={dialog}
      data-consent
      aria-labelledby="consent-title"
      aria-describedby="consent-text"
      // The script in the head may have opened it already.
      suppressHydrationWarning
      className="fixed inset-x-0 top-auto bottom-0 z-50 m-0 w-full max-w-none border-t bg-raised text-text shadow-dialog open:animate-float-in"
    >
      <div className="mx-auto flex max-w-300 flex-wrap items-center gap-x-10 gap-y-3 px-5 py-4 sm:px-8">
        <div className="min-w-0 flex-1 basis-80">
          <h2 id="consent-title" className="text-base font-semibold">
            Your privacy
          </h2>
          <p id="consent-text" className="mt-0.5 text-base">
            Postlark stores your choice, your theme and, after you log in, your session in this browser. No ads, no
            third parties, no tracking on these pages. If you decline, you’ll leave this site.{' '}
            <LinkInText to="/privacy-policy">Privacy Policy</LinkInText>
          </p>
        </div>
        <div className="flex gap-2.5 max-sm:w-full max-sm:*:grow">
          <Button data-consent-choice="rejected">Reject All</Button>
          <Button data-consent-choice="accepted">Accept All</Button>
        </div>
      </div>
    </dialog>
  )
}
