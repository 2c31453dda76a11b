import { Banner } from '#web/ui/feedback/banner.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { ZonedFields } from '#web/ui/form/zoned-fields.tsx'
import { fromNow, instantInWords, toInstant, wallClock, type ZonedInstant } from '#web/ui/lib/zoned-time.ts'

/** Now, or a wall-clock time in a zone. */
export interface SendTime {
  kind: 'now' | 'later'
  date: string
  time: string
  zone: string
}

/** The chosen instant; undefined for now and while the choice is incomplete. */
export const whenInstant = (when: SendTime): ZonedInstant | undefined =>
  when.kind === 'later' ? toInstant(when.date, when.time, when.zone) : undefined

/** Tomorrow at nine, to begin with. */
function beginning(when: SendTime): SendTime {
  if (when.date) return { ...when, kind: 'later' }
  const { date } = wallClock(Date.now() + 86_400_000, when.zone)
  return { ...when, kind: 'later', date, time: '09:00' }
}

/** When it goes out: at once, or at a time where the readers are. */
export function WhenChoice({ when, onChange }: { when: SendTime; onChange: (when: SendTime) => void }) {
  return (
    <div className="max-w-xl space-y-3">
      <RadioGroup
        legend="When"
        options={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'At a date and time' },
        ]}
        value={when.kind}
        onChange={(kind) => onChange(kind === 'later' ? beginning(when) : { ...when, kind })}
      />
      {when.kind === 'later' && (
        <>
          <ZonedFields value={when} onChange={(change) => onChange({ ...when, ...change })} />
          <InWords when={when} />
        </>
      )}
    </div>
  )
}

function InWords({ when }: { when: SendTime }) {
  const instant = whenInstant(when)
  if (!instant) return <p className="text-base text-muted">Choose a date and a time.</p>
  const past = instant.at.getTime() <= Date.now()
  if (past)
    return (
      <Banner tone="attention">{instantInWords(instant.at, when.zone)} is in the past. Choose a later time.</Banner>
    )
  return (
    <p className="text-base text-text" aria-live="polite">
      Scheduled for <strong className="text-ink">{instantInWords(instant.at, when.zone)}</strong>, {fromNow(instant.at)}
      .{when.zone !== 'UTC' && ` That is ${instant.at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`}
      {instant.kind === 'skipped' && ' The clocks skip the time you chose, so this is the next valid time.'}
      {instant.kind === 'twice' && ' That time occurs twice on that day. The first one is used.'}
    </p>
  )
}
