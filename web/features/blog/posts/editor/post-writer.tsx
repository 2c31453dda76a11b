import { MoreHorizontal, Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import type { Appearance } from './draft.ts'
import { LeavePost } from './leave-post.tsx'
import { StoredCopy } from './post-notices.tsx'
import { PostSettings } from './post-settings.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { SavedPost } from './saved-post.tsx'
import { StatusItems, StatusMenu } from './status-menu.tsx'
import { TitleField } from './title-field.tsx'
import { useImageSource } from './use-image-source.ts'
import { useWriting, type Writing } from './use-writing.ts'
import { WritingNotices, WritingState } from './writing-state.tsx'

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
  /** Where the page is left to: the list of posts, for who may see it. */
  exit: { to: string; label: string }
  /** Above the title. */
  notice?: React.ReactNode
}

/** A new post on a page of its own: title and text, everything else in a drawer. */
export function PostWriter({ autosaves, author = '', exit, notice }: PostWriterProps) {
  const writing = useWriting(undefined, { autosaves, author })
  const { draft, change, phase, post } = writing
  const [open, setOpen] = useState<'settings' | 'preview'>()
  const [editorKey, setEditorKey] = useState(0)
  const cover = useImageSource(draft.cover)
  if (phase === 'done' && post && post.state !== 'draft')
    return (
      <FocusedPage exit={exit}>
        <SavedPost post={post} list={exit.to} />
      </FocusedPage>
    )
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
            <h1 className="shrink-0 text-base font-semibold max-sm:sr-only">New post</h1>
            <WritingState writing={writing} />
          </>
        }
        right={<WriterActions writing={writing} onOpen={setOpen} />}
      >
        <div className="mx-auto max-w-180">
          <WritingNotices writing={writing} />
          {notice}
          <StoredCopy
            post={undefined}
            onTake={(copy) => {
              change(copy)
              setEditorKey((key) => key + 1)
            }}
          />
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
      </FocusedPage>
      {open === 'settings' && (
        <PostSettings draft={draft} post={post} onChange={change} onClose={() => setOpen(undefined)} />
      )}
      {open === 'preview' && <PreviewDialog draft={draft} onClose={() => setOpen(undefined)} />}
      <LeavePost writing={writing} />
    </form>
  )
}

interface WriterActionsProps {
  writing: Writing
  onOpen: (what: 'settings' | 'preview') => void
}

/** What becomes of the post and the button that does it. On a phone the others are in a menu. */
function WriterActions({ writing, onOpen }: WriterActionsProps) {
  const { draft, change, phase } = writing
  const { kind } = draft.appears
  const choose = (chosen: Appearance['kind']) => {
    change({ appears: { ...draft.appears, kind: chosen } })
    if (chosen === 'later') onOpen('settings')
  }
  return (
    <>
      <span className="flex items-center gap-2 max-md:hidden">
        <Button size="sm" kind="quiet" onClick={() => onOpen('preview')}>
          Preview
        </Button>
        <Button size="sm" icon={<Settings2 aria-hidden="true" className="size-4" />} onClick={() => onOpen('settings')}>
          Settings
        </Button>
        <StatusMenu kind={kind} onChoose={choose} />
      </span>
      <span className="md:hidden">
        <Menu
          trigger={
            <IconButton label="More actions">
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => onOpen('preview')}>Preview</MenuItem>
          <MenuItem onSelect={() => onOpen('settings')}>Settings</MenuItem>
          <MenuSeparator />
          <StatusItems kind={kind} onChoose={choose} />
        </Menu>
      </span>
      <Button size="sm" type="submit" kind="primary" busy={phase === 'submitting'} disabled={!writing.shown}>
        {phase === 'submitting' ? 'Saving...' : submitLabels[kind]}
      </Button>
    </>
  )
}
