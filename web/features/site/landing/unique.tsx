import { cx } from '#web/ui/lib/class-names.ts'
import { claims } from '../layout/site-content.ts'

/** What makes us unique: the headline figures, and three things shown. The one dark section, in both themes. */
export function Unique() {
  return (
    <section className="bg-sunken text-text" style={{ colorScheme: 'dark' }}>
      <div className="mx-auto max-w-300 px-5 py-24 sm:px-8 wide:py-32">
        <h2 className="text-2xl font-semibold tracking-tight sm:text-3xl">What makes us unique</h2>
        <dl className="mt-12 grid gap-y-8 border-y py-10 md:grid-cols-3">
          {claims.map((claim) => (
            <div key={claim.name} className="flex flex-col md:border-l md:px-8 md:first:border-l-0 md:first:pl-0">
              <dt className="order-2 mt-2 text-md font-medium text-ink">{claim.name}</dt>
              <dd className="order-1 text-3xl font-[680] tracking-[-0.035em] text-ink sm:text-4xl">{claim.figure}</dd>
              <dd className="order-3 mt-0.5 text-base text-muted">{claim.text}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 text-sm text-muted">
          These are our headline figures. Your own reports show yours, for every message.
        </p>
        <ul className="mt-14 grid gap-5 wide:grid-cols-3">
          <Point title="People and bots counted separately" piece={<Apart />}>
            Scanners open emails and follow links. They are shown separately from your recipients.
          </Point>
          <Point title="No one gets an email twice" piece={<Ledger />}>
            Every message has exactly one status, even after a crash. The numbers always add up.
          </Point>
          <Point title="Problems are found before you send" piece={<Check />}>
            Every campaign is checked before it is sent, so you can fix anything that would hurt your sender reputation.
          </Point>
        </ul>
      </div>
    </section>
  )
}

function Point({ title, piece, children }: { title: string; piece: React.ReactNode; children: React.ReactNode }) {
  return (
    <li className="flex flex-col rounded-dialog border bg-page p-6">
      <div aria-hidden="true" className="mb-6 h-40 rounded-card border bg-surface p-4 text-xs">
        {piece}
      </div>
      <h3 className="text-lg font-semibold">{title}</h3>
      <p className="mt-2 text-md text-muted">{children}</p>
    </li>
  )
}

function Apart() {
  const bars = [
    ['Opened', 'w-[62%]', 'w-[22%]', '1,204', '431'],
    ['Clicked', 'w-[16%]', 'w-[27%]', '212', '390'],
  ] as const
  return (
    <div className="flex h-full flex-col justify-center gap-4">
      {bars.map(([name, people, machines, human, machine], row) => (
        <div key={name}>
          <p className="mb-1.5 flex justify-between text-muted">
            <span>{name}</span>
            <span className="tabular-nums">
              <span className="font-medium text-ink">{human}</span> people · {machine} bots
            </span>
          </p>
          <p className="flex h-3 gap-0.5">
            <span className={cx('rounded-[3px]', row === 0 ? 'bg-chart-opens' : 'bg-chart-clicks', people)} />
            <span className={cx('hatched rounded-[3px] bg-chart-machine', machines)} />
          </p>
        </div>
      ))}
    </div>
  )
}

function Ledger() {
  const states = [
    ['sent', 'bg-good', '4,793'],
    ['failed', 'bg-harm', '9'],
    ['suppressed', 'bg-chart-machine', '8'],
    ['unconfirmed', 'bg-attention', '2'],
  ]
  return (
    <div className="flex h-full flex-col justify-center">
      {states.map(([name, dot, count]) => (
        <p key={name} className="flex items-center gap-2 py-0.5 text-text">
          <span className={cx('size-1.5 rounded-full', dot)} />
          {name}
          <span className="ml-auto tabular-nums">{count}</span>
        </p>
      ))}
      <p className="mt-1.5 flex justify-between border-t pt-1.5 font-medium text-ink">
        recipients <span className="tabular-nums">4,812</span>
      </p>
    </div>
  )
}

function Check() {
  const lines = [
    ['text-good-text', '✓', 'The sender passed its test'],
    ['text-good-text', '✓', 'All links are valid'],
    ['text-attention-text', '!', 'The name is empty for 3 of 4,812 recipients'],
    ['text-harm-text', '×', 'The footer has no postal address'],
  ]
  return (
    <div className="flex h-full flex-col justify-center gap-2">
      {lines.map(([tone, sign, text]) => (
        <p key={text} className="flex gap-2 text-text">
          <span className={cx('w-3 shrink-0 text-center font-bold', tone)}>{sign}</span>
          {text}
        </p>
      ))}
    </div>
  )
}
