import { ButtonLink } from '#web/ui/button.tsx'
import { FlightDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

const magic = [
  ['bounce@', 'is refused for good: no such mailbox (550 5.1.1)'],
  ['full@', 'is refused for now: the mailbox is full (452 4.2.2)'],
  ['later@', 'is refused once, then accepted (450 4.2.1)'],
  ['spam@', 'is refused after the message (554 5.7.1)'],
  ['busy@', 'ends the connection (421 4.7.0)'],
  ['slow@', 'is accepted after five seconds'],
  ['drop@', 'is kept, but the answer never comes'],
] as const

/** What the sandbox shows before its first mail: how one gets here, and how to try what goes wrong. */
export function FirstMail() {
  return (
    <div className="rounded-card border bg-surface">
      <EmptyState
        drawing={<FlightDrawing />}
        title="No mail yet"
        action={
          <ButtonLink kind="primary" to="/email-sender">
            Send a campaign
          </ButtonLink>
        }
      >
        Every mail that would leave lands here: campaigns, test mails, and the letters of sign-up and password reset.
      </EmptyState>
      <div className="mx-auto max-w-xl border-t px-6 py-8">
        <MagicAddresses />
      </div>
    </div>
  )
}

/** Addresses that fail on purpose, so that every outcome can be tried. */
export function MagicAddresses() {
  return (
    <section aria-labelledby="magic-addresses">
      <h2 id="magic-addresses" className="text-base font-semibold">
        Addresses that fail on purpose
      </h2>
      <p className="mt-1 text-base text-muted">
        At any domain, also with something behind a + or a -, such as bounce+7@example.com.
      </p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-base">
        {magic.map(([name, effect]) => (
          <div key={name} className="contents">
            <dt>
              <code className="rounded-[4px] border bg-sunken px-1.5 py-0.5 font-mono text-sm text-ink">{name}</code>
            </dt>
            <dd className="text-text">{effect}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
