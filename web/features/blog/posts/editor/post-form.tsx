import { lazy, Suspense, useId, useState } from 'react'
import { CATEGORIES, type Post } from '#contracts/blog/blog.ts'
import { errorMessage } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { SaveState } from '#web/ui/feedback/save-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { AppearanceField } from './appearance-field.tsx'
import { CoverField } from './cover-field.tsx'
import type { Draft } from './draft.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { forgetCopy, storedCopy } from './stored-copy.ts'
import { useWriting } from './use-writing.ts'

const RichEditor = lazy(() => import('./rich-editor.tsx'))

interface PostFormProps {
  /** The post that is edited; none for a new one. */
  post?: Post
  /** Whether what nobody reads yet is saved as it is written. */
  autosaves: boolean
}

/** The one editor of posts, in four sections. */
export function PostForm({ post: given, autosaves }: PostFormProps) {
  const writing = useWriting(given, autosaves)
  const { draft, change, phase, post } = writing
  const [preview, setPreview] = useState(false)
  const [editorKey, setEditorKey] = useState(0)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void writing.submit()
      }}
      className="space-y-6"
    >
      <StoredCopy
        post={given}
        onTake={(copy) => {
          change(copy)
          setEditorKey((key) => key + 1)
        }}
      />
      <BasicInformation draft={draft} post={post} onChange={change} />
      <Content
        key={editorKey}
        draft={draft}
        onChange={change}
        onLoad={writing.showContent}
        missing={writing.error?.startsWith('Title and content') ?? false}
      />
      <Categorization draft={draft} onChange={change} />
      <MediaAndAuthor draft={draft} post={post} onChange={change} />
      <div className="sticky bottom-0 z-20 -mx-1 space-y-3 border-t bg-page px-1 py-3">
        {writing.conflict && <Conflict post={post} onSaveOver={() => void writing.saveOver()} />}
        <FormBanner error={writing.error} success={writing.success} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            kind="primary"
            busy={phase === 'submitting'}
            disabled={phase === 'done' || !writing.shown}
          >
            {submitLabel(phase, draft, post)}
          </Button>
          <Button onClick={() => setPreview(true)}>Preview</Button>
          <span className="ml-auto">
            {writing.drafted ? (
              (post || writing.saving.state !== 'saved') && (
                <SaveState
                  state={writing.saving.state}
                  reason={errorMessage(writing.saving.error ?? '')}
                  onRetry={() => void writing.saving.flush()}
                />
              )
            ) : (
              <span role="status" className="text-sm text-muted">
                {writing.dirty ? 'Not saved yet. A copy is stored in this browser.' : ''}
              </span>
            )}
          </span>
        </div>
      </div>
      {preview && <PreviewDialog draft={draft} onClose={() => setPreview(false)} />}
      <LeaveDialog when={writing.dirty && phase === 'writing'} />
    </form>
  )
}

function submitLabel(phase: 'writing' | 'submitting' | 'done', { appears }: Draft, post: Post | undefined): string {
  if (phase === 'submitting') return post ? 'Updating...' : 'Saving...'
  if (post && (post.state === 'published' || appears.kind === 'draft')) return 'Update post'
  if (appears.kind === 'draft') return 'Save draft'
  return appears.kind === 'later' ? 'Schedule post' : 'Publish post'
}

interface SectionProps {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}

function BasicInformation({ draft, post, onChange }: SectionProps & { post: Post | undefined }) {
  const length = draft.metaDescription.length
  return (
    <Card title="Basic Information">
      <div className="grid gap-4">
        <Field label="Title">
          <Input value={draft.title} maxLength={200} onChange={(event) => onChange({ title: event.target.value })} />
        </Field>
        <Field label="URL" optional hint={slugHint(draft, post)}>
          <Input
            value={draft.slug}
            maxLength={120}
            spellCheck={false}
            placeholder="generated from the title"
            onChange={(event) => onChange({ slug: event.target.value })}
          />
        </Field>
        <Field label="Meta title" optional hint="Shown by search engines instead of the title.">
          <Input
            value={draft.metaTitle}
            maxLength={200}
            onChange={(event) => onChange({ metaTitle: event.target.value })}
          />
        </Field>
        <Field
          label="Meta description"
          optional
          hint={`Recommended: 120-160 characters.${length > 0 ? ` Current length: ${length}.` : ''}`}
        >
          <Textarea
            value={draft.metaDescription}
            maxLength={500}
            rows={3}
            onChange={(event) => onChange({ metaDescription: event.target.value })}
          />
        </Field>
      </div>
    </Card>
  )
}

function slugHint(draft: Draft, post: Post | undefined): string {
  const slug = draft.slug.trim()
  if (!slug) return 'Available at /blog/… after you save it.'
  const old = post?.publishedAt && post.slug !== slug ? ` The old URL /blog/${post.slug} redirects here.` : ''
  return `Available at /blog/${slug}.${old}`
}

interface ContentProps extends SectionProps {
  missing: boolean
  onLoad: (content: string) => void
}

function Content({ draft, onChange, onLoad, missing }: ContentProps) {
  const id = useId()
  // The editor keeps its own text from here on.
  const [initial] = useState(draft.content)
  return (
    <Card title="Content">
      <Suspense fallback={<Skeleton className="h-100 rounded-control" />}>
        <RichEditor
          label="Content"
          initial={initial}
          invalid={missing && draft.content === ''}
          describedBy={id}
          onChange={(content) => onChange({ content })}
          onLoad={onLoad}
        />
      </Suspense>
      <p id={id} className="mt-1.5 text-sm text-muted">
        You can paste or drop images into the text.
      </p>
    </Card>
  )
}

function Categorization({ draft, onChange }: SectionProps) {
  return (
    <Card title="Categorization">
      <div className="grid gap-4 sm:grid-cols-2">
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
      </div>
    </Card>
  )
}

function MediaAndAuthor({ draft, post, onChange }: SectionProps & { post: Post | undefined }) {
  return (
    <Card title="Media & Author">
      <div className="grid gap-6">
        <CoverField cover={draft.cover} onChange={(cover) => onChange({ cover })} />
        <Field label="Author name" optional hint="If empty, the author is shown as Anonymous.">
          <Input
            value={draft.authorName}
            maxLength={80}
            onChange={(event) => onChange({ authorName: event.target.value })}
          />
        </Field>
        <AppearanceField appears={draft.appears} post={post} onChange={(appears) => onChange({ appears })} />
      </div>
    </Card>
  )
}

/** Offers what was written here before and never saved. */
function StoredCopy({ post, onTake }: { post: Post | undefined; onTake: (draft: Draft) => void }) {
  const [copy, setCopy] = useState(() => storedCopy(post?.id))
  if (!copy) return null
  const older = post && copy.version !== post.version
  return (
    <Banner
      tone="attention"
      title="Restore unsaved changes?"
      action={
        <span className="flex flex-wrap gap-2">
          <Button
            size="sm"
            kind="primary"
            onClick={() => {
              setCopy(undefined)
              onTake(copy.draft)
            }}
          >
            Restore
          </Button>
          <Button
            size="sm"
            onClick={() => {
              forgetCopy(post?.id)
              setCopy(undefined)
            }}
          >
            Discard
          </Button>
        </span>
      }
    >
      “{copy.draft.title || 'Untitled'}”, stored in this browser on {formatMoment(copy.at)}.
      {older && ' The post was changed in the meantime. Compare both versions before you save.'}
    </Banner>
  )
}

function Conflict({ post, onSaveOver }: { post: Post | undefined; onSaveOver: () => void }) {
  return (
    <Banner
      tone="attention"
      role="alert"
      title="Two versions of this post"
      action={
        <Button size="sm" onClick={onSaveOver}>
          Overwrite with my version
        </Button>
      }
    >
      Someone else saved this post while you were editing. Your text is still here, and nothing was overwritten.{' '}
      {post && (
        <a
          href={`/admin/blog/edit/${post.id}`}
          target="_blank"
          rel="noreferrer"
          className="font-medium text-accent-text underline"
        >
          View other version
        </a>
      )}
    </Banner>
  )
}
