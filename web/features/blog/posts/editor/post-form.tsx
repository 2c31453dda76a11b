import { lazy, Suspense, useId, useState } from 'react'
import type { Post } from '#contracts/blog/blog.ts'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { PostState } from '../post-state.tsx'
import { AppearanceField } from './appearance-field.tsx'
import { CoverField } from './cover-field.tsx'
import type { Draft } from './draft.ts'
import { LeavePost } from './leave-post.tsx'
import { AuthorField, CategoryFields, SearchFields, type SectionProps, SlugField } from './post-fields.tsx'
import { StoredCopy } from './post-notices.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { useWriting } from './use-writing.ts'
import { WritingNotices, WritingState } from './writing-state.tsx'

const RichEditor = lazy(() => import('./text/rich-editor.tsx'))

/** The form of a stored post, in the four sections of docs/specification.md, 2. */
export function PostForm({ post: given, exit }: { post: Post; exit: { to: string; label: string } }) {
  const writing = useWriting(given, { autosaves: true })
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
    >
      <FocusedPage
        exit={exit}
        left={
          <>
            <h1 className="shrink-0 text-base font-semibold max-sm:sr-only">Edit post</h1>
            <span className="shrink-0">
              <PostState post={given} />
            </span>
            <WritingState writing={writing} />
          </>
        }
        right={
          <>
            <Button size="sm" className="max-sm:hidden" onClick={() => setPreview(true)}>
              Preview
            </Button>
            <Button
              size="sm"
              type="submit"
              kind="primary"
              busy={phase === 'submitting'}
              disabled={phase === 'done' || !writing.shown}
            >
              {submitLabel(phase, draft, post)}
            </Button>
          </>
        }
      >
        <WritingNotices writing={writing} />
        <div className="space-y-6">
          <StoredCopy
            post={given}
            onTake={(copy) => {
              change(copy)
              setEditorKey((key) => key + 1)
            }}
          />
          <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="min-w-0 space-y-6">
              <BasicInformation draft={draft} post={post} onChange={change} />
              <Content
                key={editorKey}
                draft={draft}
                onChange={change}
                onLoad={writing.showContent}
                missing={writing.error?.startsWith('Title and content') ?? false}
              />
            </div>
            <div className="min-w-0 space-y-6">
              <Categorization draft={draft} onChange={change} />
              <MediaAndAuthor draft={draft} post={post} onChange={change} />
            </div>
          </div>
          <Button className="sm:hidden" onClick={() => setPreview(true)}>
            Preview
          </Button>
        </div>
      </FocusedPage>
      {preview && <PreviewDialog draft={draft} onClose={() => setPreview(false)} />}
      <LeavePost writing={writing} />
    </form>
  )
}

function submitLabel(phase: 'writing' | 'submitting' | 'done', { appears }: Draft, post: Post | undefined): string {
  if (phase === 'submitting') return 'Updating...'
  if (post && (post.state === 'published' || appears.kind === 'draft')) return 'Update post'
  if (appears.kind === 'draft') return 'Save draft'
  return appears.kind === 'later' ? 'Schedule post' : 'Publish post'
}

function BasicInformation({ draft, post, onChange }: SectionProps & { post: Post | undefined }) {
  return (
    <Card title="Basic Information">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Title" className="sm:col-span-2">
          <Input value={draft.title} maxLength={200} onChange={(event) => onChange({ title: event.target.value })} />
        </Field>
        <SlugField draft={draft} post={post} onChange={onChange} />
        <SearchFields draft={draft} onChange={onChange} />
      </div>
    </Card>
  )
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
      <div className="grid gap-4">
        <CategoryFields draft={draft} onChange={onChange} />
      </div>
    </Card>
  )
}

function MediaAndAuthor({ draft, post, onChange }: SectionProps & { post: Post | undefined }) {
  return (
    <Card title="Media & Author">
      <div className="grid gap-6">
        <CoverField cover={draft.cover} onChange={(cover) => onChange({ cover })} />
        <AuthorField draft={draft} onChange={onChange} />
        <AppearanceField appears={draft.appears} post={post} onChange={(appears) => onChange({ appears })} />
      </div>
    </Card>
  )
}
