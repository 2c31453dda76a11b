import type { Post } from '#contracts/blog.ts'
import { formatMoment } from '#web/ui/format.ts'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { ZonedFields } from '#web/ui/zoned-fields.tsx'
import { fromNow, instantInWords } from '#web/ui/zoned-time.ts'
import { type Appearance, instantOfAppearance } from './draft.ts'

interface AppearanceFieldProps {
  appears: Appearance
  post: Post | undefined
  onChange: (appears: Appearance) => void
}

/** Whether and when readers see the post: a draft, at once, or at a date and time somewhere. */
export function AppearanceField({ appears, post, onChange }: AppearanceFieldProps) {
  const isOut = post?.state === 'published'
  return (
    <div className="space-y-3">
      <RadioGroup
        legend="Readers see it"
        value={appears.kind}
        onChange={(kind) => onChange({ ...appears, kind })}
        options={[
          {
            value: 'draft',
            label: 'Not yet',
            hint: isOut ? 'It is taken off the site and becomes a draft.' : 'It stays a draft.',
          },
          {
            value: 'now',
            label: isOut ? `Since ${formatMoment(post.publishedAt)}` : 'Now',
            hint: isOut ? undefined : 'As soon as it is saved.',
          },
          { value: 'later', label: 'At a date and time' },
        ]}
      />
      {appears.kind === 'later' && (
        <>
          <ZonedFields value={appears} onChange={(change) => onChange({ ...appears, ...change })} />
          <InWords appears={appears} />
        </>
      )}
    </div>
  )
}

function InWords({ appears }: { appears: Appearance }) {
  const at = instantOfAppearance(appears)
  return (
    <p aria-live="polite" className="text-base text-text">
      {at ? (
        <>
          {at.getTime() <= Date.now() ? 'That is past: it appears at once, dated ' : 'It appears by itself on '}
          <strong className="text-ink">{instantInWords(at, appears.zone)}</strong>
          {at.getTime() > Date.now() && `, ${fromNow(at)}`}.
        </>
      ) : (
        'Choose a date and a time.'
      )}
    </p>
  )
}
