import { ChevronLeft } from 'lucide-react'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Template } from '#contracts/templates/templates.ts'
import { errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { SaveState } from '#web/ui/feedback/save-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import type { PreviewReader } from './contact-picker.tsx'
import { readPreheader, setPreheader } from './design/mjml-edits.ts'
import { EditorActions } from './editor-actions.tsx'
import { FieldMenu } from './field-menu.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { ProblemList } from './problem-list.tsx'
import { useDraftPreview } from './queries.ts'
import SourceView from './source-view.tsx'
import type { Outside } from './use-outside.ts'
import { type Edits, useTemplateEdits } from './use-template-edits.ts'

const DesignView = lazy(() => import('./design/design-view.tsx'))

type Rendered = NonNullable<ReturnType<typeof useDraftPreview>['data']>
type View = 'design' | 'code' | 'text' | 'preview'

/** Why the email cannot be shown: its source has an error in it. */
function brokenBy(rendered: Rendered | undefined): Error | undefined {
  const problem = rendered?.html === '' ? rendered.problems.find(({ severity }) => severity === 'error') : undefined
  return (
    problem &&
    new Error(
      `The preview is not available: ${problem.message}${problem.line === null ? '' : ` (line ${problem.line})`}.`,
    )
  )
}

/** The newest rendering; an error in the source does not take it away. */
function useLastGood(rendered: Rendered | undefined): Rendered | undefined {
  const last = useRef(rendered)
  if (rendered && rendered.html !== '') last.current = rendered
  return last.current ?? rendered
}

function usePreview({ subject, html, mjml, text }: Edits, isMjml: boolean, reader: PreviewReader) {
  const written = useMemo(
    () => ({ subject, text, html: isMjml ? '' : html, mjml: isMjml ? mjml : '' }),
    [subject, text, html, mjml, isMjml],
  )
  const source = useDebounced(written, 400)
  return useDraftPreview({ ...source, ...reader })
}

/** An email in the visual editor, as code, as text, and as it arrives. */
export function TemplateEditor({ template }: { template: Template }) {
  const { edits, change, saving, round, show, conflict, keepMine, takeTheirs } = useTemplateEdits(template)
  const isMjml = edits.mjml !== ''
  const [view, setView] = useState<View>(isMjml ? 'design' : 'code')
  const [reader, setReader] = useState<PreviewReader>({})
  const [wanted, setWanted] = useState<{ line: number } | null>(null)
  const [outside, setOutside] = useState<Outside>(null)
  const preview = usePreview(edits, isMjml, reader)
  const problems = preview.data?.problems
  const shown = useLastGood(preview.data)
  const goTo = (line: number | null) => {
    setView('code')
    setWanted(line === null ? null : { line })
  }
  const pane = (
    <PreviewPane
      rendered={shown}
      error={preview.error ?? brokenBy(preview.data)}
      stale={preview.isPlaceholderData}
      reader={reader}
      onReader={setReader}
    />
  )
  return (
    <>
      <header className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="sr-only">Template {edits.name}</h1>
        <div className="flex items-center gap-4">
          <Link
            to="/my-templates"
            className="-ml-1 inline-flex items-center gap-0.5 rounded-control text-sm text-muted hover:text-ink"
          >
            <ChevronLeft aria-hidden="true" className="size-4" /> Templates
          </Link>
          <SaveState
            state={saving.state}
            reason={saving.error ? errorMessage(saving.error) : undefined}
            onRetry={() => void saving.flush()}
          />
        </div>
        <EditorActions id={template.id} isMjml={isMjml} reader={reader} flush={saving.flush} onRestored={show} />
      </header>
      {conflict && <Conflict onMine={keepMine} onOther={takeTheirs} />}
      <Heading
        edits={edits}
        isMjml={isMjml}
        round={round}
        onChange={change}
        onSource={(mjml) => {
          change({ mjml })
          setOutside({ text: mjml })
        }}
      />
      <Views view={view} isMjml={isMjml} problems={problems?.length ?? 0} onChange={setView} />
      <div key={`${round} ${view}`}>
        {view === 'design' && (
          <Suspense fallback={<Skeleton className="h-[34rem] w-full rounded-card" />}>
            <DesignView initial={edits.mjml} outside={outside} onChange={(mjml) => change({ mjml })} onCode={goTo} />
          </Suspense>
        )}
        {view === 'code' && (
          <div className="grid h-[calc(100dvh-15rem)] min-h-[34rem] overflow-hidden rounded-card border bg-surface wide:grid-cols-2">
            <div className="flex min-h-0 min-w-0 flex-col wide:border-r">
              <SourceView
                initial={isMjml ? edits.mjml : edits.html}
                language={isMjml ? 'MJML' : 'HTML'}
                problems={problems}
                wanted={wanted}
                outside={outside}
                onChange={(text) => change(isMjml ? { mjml: text } : { html: text })}
              />
            </div>
            <div className="min-h-0 min-w-0 max-wide:hidden">{pane}</div>
          </div>
        )}
        {view === 'text' && (
          <TextPart own={edits.text} made={shown?.text ?? ''} onChange={(text) => change({ text })} />
        )}
        {view === 'preview' && (
          <div className="h-[calc(100dvh-15rem)] min-h-[34rem] overflow-hidden rounded-card border bg-surface">
            {pane}
          </div>
        )}
      </div>
      <div className="mt-3 overflow-hidden rounded-card border">
        <ProblemList problems={problems} onGo={goTo} />
      </div>
    </>
  )
}

function Conflict({ onMine, onOther }: { onMine: () => Promise<void>; onOther: () => Promise<void> }) {
  return (
    <Banner
      tone="attention"
      role="alert"
      className="mb-4"
      title="This template was changed in another tab or by a colleague"
      action={
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => void onOther()}>
            Use their version
          </Button>
          <Button size="sm" kind="primary" onClick={() => void onMine()}>
            Keep my version
          </Button>
        </div>
      }
    >
      Your changes are still here, but not saved. The version you don’t choose is kept in your versions.
    </Banner>
  )
}

interface HeadingProps {
  edits: Edits
  isMjml: boolean
  round: number
  onChange: (changes: Partial<Edits>) => void
  /** The source was changed up here, beside the one who works on it below. */
  onSource: (mjml: string) => void
}

function Heading({ edits, isMjml, round, onChange, onSource }: HeadingProps) {
  return (
    <div className="mb-4 grid gap-4 sm:grid-cols-3">
      <Field
        label="Name"
        error={edits.name.trim() === '' ? 'Enter a template name. Until then, the last name is kept.' : undefined}
      >
        <Input
          value={edits.name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <Field label="Subject" optional>
        <Input
          value={edits.subject}
          maxLength={300}
          autoComplete="off"
          placeholder={'News for {{ name | default: "you" }}'}
          onChange={(event) => onChange({ subject: event.target.value })}
        />
      </Field>
      {isMjml && (
        <Field label="Preheader" optional>
          <Input
            key={round}
            defaultValue={readPreheader(edits.mjml)}
            maxLength={200}
            autoComplete="off"
            placeholder="Shown next to the subject"
            onChange={(event) => onSource(setPreheader(edits.mjml, event.target.value))}
          />
        </Field>
      )}
    </div>
  )
}

interface ViewsProps {
  view: View
  isMjml: boolean
  problems: number
  onChange: (view: View) => void
}

function Views({ view, isMjml, problems, onChange }: ViewsProps) {
  const views: { value: View; label: string }[] = [
    ...(isMjml ? [{ value: 'design' as const, label: 'Design' }] : []),
    { value: 'code', label: problems > 0 ? `Code (${plural(problems, 'issue')})` : 'Code' },
    { value: 'text', label: 'Plain text' },
    { value: 'preview', label: 'Preview' },
  ]
  return (
    <div role="group" aria-label="Editor view" className="mb-3 flex flex-wrap gap-1.5">
      {views.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={view === value}
          onClick={() => onChange(value)}
          className="h-8 rounded-control border px-3 text-base font-medium text-text hover:text-ink aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function TextPart({ own, made, onChange }: { own: string; made: string; onChange: (text: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="space-y-3 rounded-card border bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-base text-text">
          {own.trim() === ''
            ? 'Generated automatically. Edit to use your own plain-text version.'
            : 'Your own version is sent. Clear it to generate one from the email again.'}
        </p>
        <div className="flex gap-2">
          {own.trim() === '' && (
            <Button size="sm" disabled={made === ''} onClick={() => onChange(made)}>
              Start from the generated text
            </Button>
          )}
          <FieldMenu
            onInsert={(text) => {
              const at = field.current?.selectionStart ?? own.length
              onChange(own.slice(0, at) + text + own.slice(at))
            }}
          />
        </div>
      </div>
      <Textarea
        ref={field}
        code
        aria-label="Plain-text version"
        className="min-h-[26rem]"
        value={own}
        placeholder={made}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
