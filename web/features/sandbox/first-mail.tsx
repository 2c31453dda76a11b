import { channelPages } from '#web/channel-pages.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { FlightDrawing } from '#web/ui/theme/drawings.tsx'

const magic = [
  ['bounce@', 'is rejected permanently: no such mailbox (550 5.1.1)'],
  ['full@', 'is deferred: the mailbox is full (452 4.2.2)'],
  ['later@', 'is rejected once, then accepted (450 4.2.1)'],
  ['spam@', 'is rejected after the message (554 5.7.1)'],
  ['busy@', 'closes the connection (421 4.7.0)'],
  ['slow@', 'is accepted after five seconds'],
  ['drop@', 'is stored, but the server never replies'],
] as const

/** What the sandbox shows before its first mail: how one gets here, and how to try what goes wrong. */
export function FirstMail() {
  return (
    <div className="rounded-card border bg-surface">
      <EmptyState
        drawing={<FlightDrawing />}
        title="No emails yet"
        action={
          <ButtonLink kind="primary" to={channelPages.email.wizard}>
            Send a campaign
          </ButtonLink>
        }
      >
        Your campaigns and test emails appear here instead of being delivered.
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
        They work at any domain, also with a suffix after + or -, such as bounce+7@example.com.
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
