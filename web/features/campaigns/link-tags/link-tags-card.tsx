import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { MAX_LINK_TAGS } from '#contracts/campaigns/campaign.ts'
import { TagDialog, useTags } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { readableUrl, whyUnknown } from '../report/labels.ts'
import type { Draft } from '../wizard/draft.ts'

interface LinkTagsCardProps {
  draft: Draft
  /** The links of the email, each once. */
  links: string[]
}

/** The links of an email, each with the tags that people get who click it. */
export function LinkTagsCard({ draft: { choices, change }, links }: LinkTagsCardProps) {
  const { linkTags } = choices
  const knowsClickers = !whyUnknown(choices, 'clicked')
  const known = useTags().data?.items
  // A link that is gone stays in sight, so that its tags can be taken off.
  const shown = [...links, ...linkTags.map(({ url }) => url).filter((url) => !links.includes(url))]
  if (shown.length === 0 || !known) return null
  function setTags(url: string, tags: string[]) {
    const others = linkTags.filter((one) => one.url !== url)
    change({ linkTags: tags.length > 0 ? [...others, { url, tags }] : others })
  }
  return (
    <section aria-label="Links" className="rounded-card border bg-surface">
      <div className="border-b px-4 py-2.5">
        <h3 className="text-base font-semibold">Links</h3>
        <p className="text-sm text-muted">
          {knowsClickers
            ? 'Add a tag to contacts who click a link. Clicks by bots don’t count.'
            : choices.trackClicks
              ? 'Track each recipient to add tags on click.'
              : 'Turn on click tracking to add tags on click.'}
        </p>
      </div>
      <ul className="max-h-96 divide-y overflow-y-auto">
        {shown.map((url) => (
          <LinkRow
            key={url}
            url={url}
            isGone={!links.includes(url)}
            tags={known}
            chosen={linkTags.find((one) => one.url === url)?.tags ?? []}
            disabled={!knowsClickers}
            onChange={(tags) => setTags(url, tags)}
          />
        ))}
      </ul>
    </section>
  )
}

interface LinkRowProps {
  url: string
  isGone: boolean
  tags: { id: string; name: string }[]
  chosen: string[]
  disabled: boolean
  onChange: (tags: string[]) => void
}

function LinkRow({ url, isGone, tags, chosen, disabled, onChange }: LinkRowProps) {
  const [making, setMaking] = useState(false)
  const name = readableUrl(url)
  const unused = tags.filter(({ id }) => !chosen.includes(id))
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <span className="min-w-0 flex-1 basis-56">
        <span className="block truncate text-base text-ink" title={url}>
          {name}
        </span>
        {isGone && <span className="block text-sm text-muted">No longer in the email</span>}
      </span>
      <span className="flex max-w-full flex-wrap items-center gap-1.5">
        {tags
          .filter(({ id }) => chosen.includes(id))
          .map((tag) => (
            <span
              key={tag.id}
              className="inline-flex h-7 max-w-full items-center gap-1 rounded-full border bg-surface pr-1 pl-2.5 text-sm text-ink"
            >
              <span className="truncate">{tag.name}</span>
              <button
                type="button"
                aria-label={`Remove the tag ${tag.name} from ${name}`}
                className="rounded-full p-1 text-muted hover:text-ink"
                onClick={() => onChange(chosen.filter((other) => other !== tag.id))}
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </span>
          ))}
        {!isGone && chosen.length < MAX_LINK_TAGS.tags && (
          <Menu
            trigger={
              <Button
                size="sm"
                kind="quiet"
                className="-mx-2.5"
                disabled={disabled}
                aria-label={`Add tag on click of ${name}`}
                icon={<Plus aria-hidden="true" className="size-3.5" />}
              >
                Add tag on click
              </Button>
            }
          >
            <div className="max-h-60 overflow-y-auto">
              {unused.map((tag) => (
                <MenuItem key={tag.id} onSelect={() => onChange([...chosen, tag.id])}>
                  {tag.name}
                </MenuItem>
              ))}
            </div>
            {unused.length > 0 && <MenuSeparator />}
            <MenuItem onSelect={() => setMaking(true)}>New tag…</MenuItem>
          </Menu>
        )}
      </span>
      {making && (
        <TagDialog tag={null} onCreated={({ id }) => onChange([...chosen, id])} onClose={() => setMaking(false)} />
      )}
    </li>
  )
}
