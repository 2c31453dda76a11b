import type { Post } from '#contracts/blog/blog.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { AppearanceField } from './appearance-field.tsx'
import { CoverField } from './cover-field.tsx'
import { AuthorField, CategoryFields, SearchFields, type SectionProps, SlugField } from './post-fields.tsx'
import { SearchPreview } from './search-preview.tsx'

interface PostSettingsProps extends SectionProps {
  post: Post | undefined
  onClose: () => void
}

/** Everything about a new post but its title and text. */
export function PostSettings({ draft, post, onChange, onClose }: PostSettingsProps) {
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title="Post settings"
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="grid gap-5">
        <AppearanceField appears={draft.appears} post={post} onChange={(appears) => onChange({ appears })} />
        <SlugField draft={draft} post={post} onChange={onChange} />
        <CoverField cover={draft.cover} onChange={(cover) => onChange({ cover })} />
        <CategoryFields draft={draft} onChange={onChange} />
        <AuthorField draft={draft} onChange={onChange} />
        <section aria-labelledby="seo" className="flex flex-col gap-4 border-t pt-5">
          <h3 id="seo" className="text-base font-semibold">
            Search engines
          </h3>
          <SearchPreview draft={draft} />
          <SearchFields draft={draft} onChange={onChange} />
        </section>
      </div>
    </SidePanel>
  )
}
