import { Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { SaveState } from '#web/ui/feedback/save-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import type { Appearance } from './draft.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { Conflict, StoredCopy } from './post-notices.tsx'
import { PostSettings } from './post-settings.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { SavedPost } from './saved-post.tsx'
import { StatusMenu } from './status-menu.tsx'
import { TitleField } from './title-field.tsx'
import { useImageSource } from './use-image-source.ts'
import { useWriting, type Writing } from './use-writing.ts'

const RichEditor = lazy(() => import('./text/rich-editor.tsx'))

const submitLabels: Record<Appearance['kind'], string> = {
  draft: 'Save draft',
  now: 'Publish post',
  later: 'Schedule post',
}

interface PostWriterProps {
  /** Whether the draft is saved as it is written. */
  autosaves: boolean
  /** Who signs the post unless the writer says otherwise. */
  author?: string
  /** Where the list of posts is, for who may see it. */
  list?: string
}

/** A new post: title and text over the whole page, everything else in a drawer. */
export function PostWriter({ autosaves, author = '', list }: PostWriterProps) {
  const writing = useWriting(undefined, { autosaves, author })
  const { draft, change, phase, post } = writing
  const [open, setOpen] = useState<'settings' | 'preview'>()
  const [editorKey, setEditorKey] = useState(0)
  const cover = useImageSource(draft.cover)
  if (phase === 'done' && post && post.state !== 'draft') return <SavedPost post={post} list={list} />
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void writing.submit()
      }}
    >
      <WriterBar writing={writing} list={list} onOpen={setOpen} />
      <div className="mx-auto max-w-180">
        <div className="space-y-4 empty:hidden">
          {writing.conflict && <Conflict post={post} onSaveOver={() => void writing.saveOver()} />}
          <FormBanner error={writing.error} />
          <StoredCopy
            post={undefined}
            onTake={(copy) => {
              change(copy)
              setEditorKey((key) => key + 1)
            }}
          />
        </div>
        {cover && <img src={cover} alt="" className="mt-6 aspect-[2/1] w-full rounded-card object-cover" />}
        <TitleField value={draft.title} onChange={(title) => change({ title })} />
        <Suspense fallback={<Skeleton className="h-100 rounded-control" />}>
          <RichEditor
            key={editorKey}
            label="Content"
            isBare
            initial={draft.content}
            invalid={writing.error?.startsWith('Title and content') === true && draft.content === ''}
            onChange={(content) => change({ content })}
            onLoad={writing.showContent}
          />
        </Suspense>
      </div>
      {open === 'settings' && (
        <PostSettings draft={draft} post={post} onChange={change} onClose={() => setOpen(undefined)} />
      )}
      {open === 'preview' && <PreviewDialog draft={draft} onClose={() => setOpen(undefined)} />}
      <LeaveDialog when={writing.dirty && phase === 'writing'} />
    </form>
  )
}

interface WriterBarProps {
  writing: Writing
  list: string | undefined
  onOpen: (what: 'settings' | 'preview') => void
}

/** Stays in view: whether it is saved, what becomes of it, and the button that does it. */
function WriterBar({ writing, list, onOpen }: WriterBarProps) {
  const { draft, change, phase, post, saving } = writing
  const { kind } = draft.appears
  const isSaved = post !== undefined || saving.state !== 'saved'
  return (
    <div className="top-0 z-20 -mx-1 mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-page px-1 py-2.5 sm:sticky">
      <p className="flex items-center gap-2 text-base">
        {list && (
          <>
            <Link to={list} className="rounded-[3px] text-muted hover:text-ink hover:underline">
              Blog
            </Link>
            <span aria-hidden="true" className="text-muted">
              /
            </span>
          </>
        )}
      </p>
      <h1 className="text-base font-semibold">New post</h1>
      <span className="min-w-0 flex-1 text-sm text-muted">
        {writing.drafted ? (
          isSaved && (
            <SaveState
              state={saving.state}
              reason={errorMessage(saving.error ?? '')}
              onRetry={() => void saving.flush()}
            />
          )
        ) : (
          <span role="status">{writing.dirty ? 'Not saved yet. A copy is stored in this browser.' : ''}</span>
        )}
      </span>
      <span className="flex flex-wrap items-center gap-2">
        <Button kind="quiet" onClick={() => onOpen('preview')}>
          Preview
        </Button>
        <Button icon={<Settings2 aria-hidden="true" className="size-4" />} onClick={() => onOpen('settings')}>
          Settings
        </Button>
        <StatusMenu
          kind={kind}
          onChoose={(chosen) => {
            change({ appears: { ...draft.appears, kind: chosen } })
            if (chosen === 'later') onOpen('settings')
          }}
        />
        <Button type="submit" kind="primary" busy={phase === 'submitting'} disabled={!writing.shown}>
          {phase === 'submitting' ? 'Saving...' : submitLabels[kind]}
        </Button>
      </span>
    </div>
  )
}
