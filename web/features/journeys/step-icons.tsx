import { Clock, ListPlus, ListX, LogOut, Mail, PencilLine, Split, Tag, TicketX } from 'lucide-react'
import { cx } from '#web/ui/lib/class-names.ts'
import type { StepKind } from './labels.ts'

const icons: Record<StepKind, typeof Mail> = {
  email: Mail,
  wait: Clock,
  branch: Split,
  tag: Tag,
  untag: TicketX,
  add_to_list: ListPlus,
  remove_from_list: ListX,
  set_field: PencilLine,
  exit: LogOut,
}

/** The sign of a kind of step, on a small tile; emails are tinted. */
export function StepIcon({ kind }: { kind: StepKind }) {
  const Icon = icons[kind]
  return (
    <span
      className={cx(
        'grid size-7 shrink-0 place-items-center rounded-control',
        kind === 'email' ? 'bg-accent-soft text-accent-text' : 'bg-sunken text-text',
      )}
    >
      <Icon aria-hidden="true" className={cx('size-4', kind === 'branch' && 'rotate-180')} />
    </span>
  )
}
