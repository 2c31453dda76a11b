import type { Draft } from './draft.ts'

const MAX_TITLE = 60
const MAX_DESCRIPTION = 160

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length).trimEnd()}…` : text)

const stripTags = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** About how a search engine shows the post. */
export function SearchPreview({ draft }: { draft: Draft }) {
  const title = draft.metaTitle.trim() || draft.title.trim() || 'Untitled'
  const description =
    draft.metaDescription.trim() || stripTags(draft.content) || 'The beginning of the text is shown here.'
  return (
    <figure className="rounded-card border bg-surface p-4">
      <figcaption className="mb-2 text-xs text-muted">Google preview</figcaption>
      <p className="truncate text-sm text-muted">
        {location.host} › blog › {draft.slug.trim() || '…'}
      </p>
      <p className="mt-0.5 text-md wrap-anywhere text-accent-text">{cut(title, MAX_TITLE)}</p>
      <p className="mt-0.5 text-sm wrap-anywhere text-text">{cut(description, MAX_DESCRIPTION)}</p>
    </figure>
  )
}
