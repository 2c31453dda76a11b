import { Link } from 'react-router'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { plural } from '#web/ui/lib/format.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { usePreview } from './queries.ts'

/** How many contacts are in a segment while it is edited, and the newest of them. without a filter, why there is none. */
export function Preview({ filter, fault }: { filter: ContactFilter | undefined; fault: string | undefined }) {
  // Compared as text: a filter is a new object at every key press.
  const text = useDebounced(JSON.stringify(filter))
  const settled = text === undefined ? undefined : (JSON.parse(text) as ContactFilter)
  const preview = usePreview(settled)
  const isKnown = filter !== undefined && preview.data && !preview.isError
  const isOld = preview.isPlaceholderData || text !== JSON.stringify(filter)
  return (
    <Card title="Preview">
      <p aria-live="polite" className={cx('text-xl font-semibold text-ink tabular-nums', isOld && 'opacity-50')}>
        {isKnown ? plural(preview.data.count, 'contact') : '-'}
      </p>
      {fault && <p className="mt-1 text-sm text-muted">{fault}</p>}
      {filter !== undefined && preview.isError && (
        <Banner tone="attention" className="mt-3" role="status">
          {errorMessage(preview.error)}
        </Banner>
      )}
      {isKnown && preview.data.sample.length > 0 && (
        <ul className={cx('mt-3 divide-y border-t', isOld && 'opacity-50')}>
          {preview.data.sample.map((contact) => (
            <li key={contact.id} className="py-2">
              <Link to={`/contacts/${contact.id}`} className="block truncate text-base text-ink hover:underline">
                {contact.email ?? contact.phone ?? contact.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
