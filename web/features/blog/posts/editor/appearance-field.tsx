import type { Post } from '#contracts/blog/blog.ts'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { ZonedFields } from '#web/ui/form/zoned-fields.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { fromNow, instantInWords } from '#web/ui/lib/zoned-time.ts'
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
        legend="Status"
        value={appears.kind}
        onChange={(kind) => onChange({ ...appears, kind })}
        options={[
          {
            value: 'draft',
            label: 'Draft',
            hint: isOut ? 'The post is removed from the site and becomes a draft.' : 'The post is saved as a draft.',
          },
          {
            value: 'now',
            label: isOut ? `Published ${formatMoment(post.publishedAt)}` : 'Publish now',
            hint: isOut ? undefined : 'Published as soon as it is saved.',
          },
          { value: 'later', label: 'Schedule' },
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
          {at.getTime() <= Date.now()
            ? 'This time is in the past. The post appears immediately, dated '
            : 'Scheduled for '}
          <strong className="text-ink">{instantInWords(at, appears.zone)}</strong>
          {at.getTime() > Date.now() && `, ${fromNow(at)}`}.
        </>
      ) : (
        'Choose a date and a time.'
      )}
    </p>
  )
}
