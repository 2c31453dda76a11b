import { Eye, Monitor, Redo2, Smartphone, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { NameField } from '#web/ui/form/name-field.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { type History, useHistory, useUndoKeys } from '#web/ui/lib/use-history.ts'
import { useMedia } from '#web/ui/lib/use-media.ts'
import type { PreviewReader } from './contact-picker.tsx'
import { EditorStrip, type EditorView, SubjectFields } from './editor-strip.tsx'
import { Issues } from './issues.tsx'
import { PreviewPane } from './preview-pane.tsx'
import SourceView from './source-view.tsx'
import { TextPart } from './text-part.tsx'
import type { Outside } from './use-outside.ts'
import { usePreview } from './use-preview.ts'
import type { Edits } from './use-template-edits.ts'

const DesignView = lazy(() => import('../design/design-view.tsx'))

/** What the actions of the bar need to know of the email on the screen. */
export interface OnScreen {
  reader: PreviewReader
  onReader: (reader: PreviewReader) => void
  /** For whom it is rendered, by name; null: sample data. */
  as: string | null
  total: number | null
  isMjml: boolean
  view: EditorView
  onView: (view: EditorView) => void
  undo: () => void
  redo: () => void
}

interface EditorScreenProps {
  exit: { to: string; label: string }
  edits: Edits
  onChange: (changes: Partial<Edits>) => void
  /** Whether it is saved. */
  status: React.ReactNode
  /** A line over everything, such as about a conflict. */
  notice?: React.ReactNode
  /** Buttons at the right end of the bar. */
  actions: (screen: OnScreen) => React.ReactNode
}

/** The line a link to the editor asks for, as the check of a campaign does: `?line=12`. */
function findWantedLine(): { line: number } | null {
  const line = Number(new URLSearchParams(globalThis.location?.search).get('line'))
  return Number.isInteger(line) && line > 0 ? { line } : null
}

const PHONE = '(max-width: 767px)'
type Width = 640 | 375

/** Undo, redo, and how wide the email is shown. */
function Steps({ history, width, setWidth }: { history: History; width: Width; setWidth: (width: Width) => void }) {
  return (
    <div className="flex items-center gap-1 max-md:hidden">
      <IconButton size="sm" label="Undo" disabled={!history.canUndo} onClick={history.undo}>
        <Undo2 aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton size="sm" label="Redo" disabled={!history.canRedo} onClick={history.redo}>
        <Redo2 aria-hidden="true" className="size-4" />
      </IconButton>
      <span className="mx-1 h-5 w-px bg-line" />
      <IconButton
        size="sm"
        label="Desktop"
        aria-pressed={width === 640}
        className={PRESSED}
        onClick={() => setWidth(640)}
      >
        <Monitor aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        size="sm"
        label="Mobile"
        aria-pressed={width === 375}
        className={PRESSED}
        onClick={() => setWidth(375)}
      >
        <Smartphone aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  )
}

const PRESSED = 'aria-pressed:bg-accent-soft aria-pressed:text-accent-text'

/** One email on the whole screen: the bar, its views, its subject, and the editor itself. It begins with `edits`; later changes are its own. */
export function EditorScreen({ exit, edits, onChange, status, notice, actions }: EditorScreenProps) {
  const isMjml = edits.mjml !== ''
  const history = useHistory(edits.mjml, (mjml) => onChange({ mjml }))
  const [view, setView] = useState<EditorView>(isMjml ? 'design' : 'code')
  const [width, setWidth] = useState<Width>(640)
  const [reader, setReader] = useState<PreviewReader>({})
  const [wanted, setWanted] = useState(findWantedLine)
  const [isSubjectOpen, setSubjectOpen] = useState(false)
  const [outside, setOutside] = useState<Outside>(null)
  const [toolsHost, setToolsHost] = useState<HTMLElement | null>(null)
  const isPhone = useMedia(PHONE)
  const preview = usePreview(edits, reader)
  const { rendered, problems } = preview
  useUndoKeys(view === 'design', history.undo, history.redo)
  const goTo = (line: number | null, to: EditorView) => {
    setView(to)
    setWanted(line === null ? null : { line })
  }
  const recipient = rendered?.recipient
  const pane = (
    <PreviewPane rendered={rendered} error={preview.error} stale={preview.stale} reader={reader} onReader={setReader} />
  )
  return (
    <FocusedPage
      fill
      exit={exit}
      left={
        <>
          <h1 className="sr-only">Template {edits.name}</h1>
          <NameField label="Template name" value={edits.name} onChange={(name) => onChange({ name })} />
          <span className="flex min-w-0 items-center max-wide:sr-only">{status}</span>
        </>
      }
      center={!isPhone && view === 'design' && <Steps {...{ history, width, setWidth }} />}
      right={
        <>
          <Issues problems={problems} onGo={(line) => goTo(line, isMjml ? 'design' : 'code')} />
          <Button
            size="sm"
            className="max-md:hidden"
            aria-pressed={view === 'preview'}
            icon={<Eye aria-hidden="true" className="size-4" />}
            onClick={() => setView(view === 'preview' ? (isMjml ? 'design' : 'code') : 'preview')}
          >
            <span className="max-wide:sr-only">{view === 'preview' ? 'Close preview' : 'Preview'}</span>
          </Button>
          {actions({
            ...{ reader, onReader: setReader, isMjml, view, onView: setView, undo: history.undo, redo: history.redo },
            as: recipient ? recipient.name || recipient.email : null,
            total: rendered?.total ?? null,
          })}
        </>
      }
    >
      {notice}
      <EditorStrip
        ref={setToolsHost}
        {...{ view, isMjml }}
        issues={problems?.length ?? 0}
        subject={edits.subject}
        isOpen={isSubjectOpen}
        onView={setView}
        onOpen={setSubjectOpen}
      />
      {isSubjectOpen && (
        <SubjectFields
          edits={edits}
          isMjml={isMjml}
          onSubject={(subject) => onChange({ subject })}
          onSource={(mjml) => {
            history.change(mjml, 'preview text')
            setOutside({ text: mjml })
          }}
        />
      )}
      {view === 'design' && (
        <Suspense fallback={<Skeleton className="m-4 min-h-0 flex-1 rounded-card" />}>
          <DesignView
            history={history}
            width={isPhone ? 375 : width}
            toolsHost={toolsHost}
            wanted={wanted}
            onCode={(line) => goTo(line, 'code')}
          />
        </Suspense>
      )}
      {view === 'code' && (
        <div className="grid min-h-0 flex-1 bg-surface wide:grid-cols-2">
          <div className="flex min-h-0 min-w-0 flex-col wide:border-r">
            <SourceView
              initial={isMjml ? edits.mjml : edits.html}
              language={isMjml ? 'MJML' : 'HTML'}
              problems={problems}
              wanted={wanted}
              outside={outside}
              onChange={(text) => (isMjml ? history.change(text, 'code') : onChange({ html: text }))}
            />
          </div>
          <div className="min-h-0 min-w-0 max-wide:hidden">{pane}</div>
        </div>
      )}
      {view === 'text' && (
        <div className="min-h-0 flex-1 bg-surface">
          <TextPart own={edits.text} made={rendered?.text ?? ''} onChange={(text) => onChange({ text })} />
        </div>
      )}
      {view === 'preview' && <div className="min-h-0 flex-1 bg-surface">{pane}</div>}
    </FocusedPage>
  )
}
