import { CATEGORIES, type Post } from '#contracts/blog/blog.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import type { Draft } from './draft.ts'
import { slugHint } from './slug-hint.ts'

export interface SectionProps {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}

/** Characters that search engines show of a title. */
const SHOWN_TITLE = 60

/** The title and description for search engines, with their lengths. */
export function SearchFields({ draft, onChange }: SectionProps) {
  const length = draft.metaDescription.length
  return (
    <>
      <Field
        label="Meta title"
        optional
        hint={`Shown by search engines instead of the title.${
          draft.metaTitle ? ` ${draft.metaTitle.length} of ${SHOWN_TITLE} characters.` : ''
        }`}
      >
        <Input
          value={draft.metaTitle}
          maxLength={200}
          onChange={(event) => onChange({ metaTitle: event.target.value })}
        />
      </Field>
      <Field
        label="Meta description"
        optional
        className="sm:col-span-2"
        hint={`Recommended: 120-160 characters.${length > 0 ? ` Current length: ${length}.` : ''}`}
      >
        <Textarea
          value={draft.metaDescription}
          maxLength={500}
          rows={3}
          onChange={(event) => onChange({ metaDescription: event.target.value })}
        />
      </Field>
    </>
  )
}

/** The end of the post's URL. */
export function SlugField({ draft, post, onChange }: SectionProps & { post: Post | undefined }) {
  return (
    <Field label="URL" optional hint={slugHint(draft, post)}>
      <Input
        value={draft.slug}
        maxLength={120}
        spellCheck={false}
        placeholder="generated from the title"
        onChange={(event) => onChange({ slug: event.target.value })}
      />
    </Field>
  )
}

/** Category and tags. */
export function CategoryFields({ draft, onChange }: SectionProps) {
  return (
    <>
      <Field label="Category">
        <Select value={draft.category} onChange={(event) => onChange({ category: event.target.value })}>
          {CATEGORIES.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </Select>
      </Field>
      <Field label="Tags" optional hint="Separated by commas.">
        <Input value={draft.tags} onChange={(event) => onChange({ tags: event.target.value })} />
      </Field>
    </>
  )
}

/** Who signs the post. */
export function AuthorField({ draft, onChange }: SectionProps) {
  return (
    <Field label="Author name" optional hint="If empty, the author is shown as Anonymous.">
      <Input
        value={draft.authorName}
        maxLength={80}
        onChange={(event) => onChange({ authorName: event.target.value })}
      />
    </Field>
  )
}
