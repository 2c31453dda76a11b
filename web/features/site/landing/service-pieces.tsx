import { cx } from '#web/ui/lib/class-names.ts'
import type { services } from '../layout/site-content.ts'

/** Pieces of the real screens with made-up rows from the reserved example domains and number ranges. Only to be looked at. */
const rows = {
  mailScraper: [
    ['press@bakery.example', 'bakery.example/contact', 'domain accepts email'],
    ['hello@bakery.example', 'bakery.example', 'role'],
    ['ida@bikes.example', 'bikes.example/team', 'personal'],
  ],
  numberScraper: [
    ['+1 202 555 0143', 'harbor.example/visit', 'United States'],
    ['+44 20 7946 0958', 'quay.example/contact', 'United Kingdom'],
    ['+61 2 5550 9821', 'reef.example', 'Australia'],
  ],
}

/** A piece of a service's screen. */
export function ServicePiece({ id }: { id: (typeof services)[number]['id'] }) {
  if (id === 'bulkMailer') return <Sending />
  if (id === 'whatsAppSender') return <Conversation />
  return (
    <>
      <span className="flex h-9 items-center justify-between border-b px-4 text-xs text-muted">
        <span>{id === 'mailScraper' ? 'Address' : 'Number'}</span>
        <span>Found on</span>
      </span>
      {rows[id].map(([what, where, note]) => (
        <span key={what} className="flex h-11 items-center gap-3 border-b px-4">
          <span className="min-w-0 flex-1">
            <span className="block truncate text-ink tabular-nums">{what}</span>
            <span className="block truncate text-xs text-muted">{note}</span>
          </span>
          <span className="max-w-1/2 truncate text-xs text-muted">{where}</span>
        </span>
      ))}
    </>
  )
}

function Sending() {
  return (
    <span className="block p-5">
      <span className="flex items-baseline justify-between">
        <span className="text-lg font-semibold text-ink tabular-nums">18,240</span>
        <span className="text-xs text-muted tabular-nums">of 20,000 sent</span>
      </span>
      <span className="mt-2.5 flex h-2.5 overflow-hidden rounded-full bg-line">
        <span className="w-[90%] bg-good" />
        <span className="w-[1.2%] bg-harm" />
      </span>
      <span className="mt-4 grid gap-2">
        {[
          ['gmail.example', '40 a second', 'w-[72%]'],
          ['outlook.example', '22 a second', 'w-[48%]'],
          ['others', '31 a second', 'w-[58%]'],
        ].map(([name, pace, width]) => (
          <span key={name} className="flex items-center gap-3 text-xs">
            <span className="w-24 shrink-0 truncate text-text">{name}</span>
            <span className="h-1.5 flex-1 rounded-full bg-sunken">
              <span className={cx('block h-full rounded-full bg-chart-opens', width)} />
            </span>
            <span className="w-18 shrink-0 text-right text-muted tabular-nums">{pace}</span>
          </span>
        ))}
      </span>
    </span>
  )
}

function Conversation() {
  return (
    <span className="flex h-full flex-col gap-2 p-4">
      <span className="self-start rounded-card rounded-bl-[3px] border bg-surface px-3 py-2 text-text">
        Hello Ida, your order is ready. Should we hold it until Friday?
      </span>
      <span className="self-end rounded-card rounded-br-[3px] bg-good-soft px-3 py-2 text-ink">Friday is perfect</span>
      <span className="self-start rounded-card rounded-bl-[3px] border bg-surface px-3 py-2 text-text">
        Noted. See you then.
      </span>
    </span>
  )
}
