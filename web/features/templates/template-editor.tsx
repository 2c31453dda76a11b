import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type Template, type TemplateProblem, templates } from '#contracts/templates.ts'
import { api, messageOf } from '#web/api.ts'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SaveState } from '#web/ui/save-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useAutosave } from '#web/ui/use-autosave.ts'
import { useDebounced } from '#web/ui/use-debounced.ts'
import type { CodeEditorHandle } from './code-editor.tsx'
import { FieldMenu } from './field-menu.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { ProblemList } from './problem-list.tsx'
import { useDraftPreview } from './queries.ts'

const CodeEditor = lazy(() => import('./code-editor.tsx'))
const NONE: TemplateProblem[] = []

type Edits = Pick<Template, 'name' | 'subject' | 'html' | 'mjml'>

/** Saves shortly after typing rests and on Ctrl+S. */
function useEdits(template: Template) {
  const queries = useQueryClient()
  const [edits, setEdits] = useState<Edits>({
    name: template.name,
    subject: template.subject,
    html: template.html,
    mjml: template.mjml,
  })
  const saving = useAutosave<Edits>(async (changes) => {
    // A name may be empty while it is being typed, but not when it is kept.
    const { name, ...rest } = changes
    const body = name === undefined || name.trim() === '' ? rest : { ...rest, name }
    const saved = await api(templates.update, { params: { id: template.id }, body })
    queries.setQueryData(['templates', template.id], saved)
    void queries.invalidateQueries({ queryKey: ['templates'], exact: true })
  })
  const change = (changes: Partial<Edits>) => {
    setEdits((old) => ({ ...old, ...changes }))
    saving.change(changes)
  }
  const { flush } = saving
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      void flush()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [flush])
  return { edits, change, saving }
}

type Rendered = NonNullable<ReturnType<typeof useDraftPreview>['data']>

/** Why there is no picture of the letter: its source has an error in it. */
function brokenBy(rendered: Rendered | undefined): Error | undefined {
  const problem = rendered?.html === '' ? rendered.problems.find(({ severity }) => severity === 'error') : undefined
  return (
    problem &&
    new Error(
      `It cannot be shown as it is: ${problem.message}${problem.line === null ? '' : ` (line ${problem.line})`}.`,
    )
  )
}

/** The newest picture there was; an error in the source does not take it away. */
function useLastGood(rendered: Rendered | undefined): Rendered | undefined {
  const last = useRef(rendered)
  if (rendered && rendered.html !== '') last.current = rendered
  return last.current ?? rendered
}

/** A letter's source beside the letter itself. On a narrow screen one or the other. */
export function TemplateEditor({ template }: { template: Template }) {
  const { edits, change, saving } = useEdits(template)
  const isMjml = template.mjml !== ''
  const [contactId, setContactId] = useState<string>()
  const [side, setSide] = useState<'code' | 'letter'>('code')
  const editor = useRef<CodeEditorHandle>(null)
  const { subject, html, mjml } = edits
  const written = useMemo(
    () => ({ subject, html: isMjml ? '' : html, mjml: isMjml ? mjml : '' }),
    [subject, html, mjml, isMjml],
  )
  const source = useDebounced(written, 400)
  const preview = useDraftPreview(contactId ? { ...source, contactId } : source)
  const problems = preview.data?.problems
  const shown = useLastGood(preview.data)
  const goTo = (line: number) => {
    setSide('code')
    requestAnimationFrame(() => editor.current?.goToLine(line))
  }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h1 className="sr-only">Template {edits.name}</h1>
        <Link
          to="/my-templates"
          className="-ml-1 inline-flex items-center gap-0.5 rounded-control text-sm text-muted hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-4" /> Templates
        </Link>
        <SaveState
          state={saving.state}
          reason={saving.error ? messageOf(saving.error) : undefined}
          onRetry={() => void saving.flush()}
        />
      </div>
      <div className="mb-4 grid gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <Field
          label="Name"
          error={edits.name.trim() === '' ? 'A template needs a name; the last one is kept.' : undefined}
        >
          <Input
            value={edits.name}
            maxLength={120}
            autoComplete="off"
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <Field label="Subject" optional>
          <Input
            value={edits.subject}
            maxLength={300}
            autoComplete="off"
            placeholder={'News for {{ name | default: "you" }}'}
            onChange={(event) => change({ subject: event.target.value })}
          />
        </Field>
      </div>
      <SideSwitch side={side} onChange={setSide} problems={problems?.length ?? 0} />
      <div className="grid h-[calc(100dvh-13rem)] min-h-[30rem] overflow-hidden rounded-card border bg-surface wide:grid-cols-2">
        <section
          aria-label="Source"
          className={cx('min-h-0 min-w-0 flex-col wide:flex wide:border-r', side === 'code' ? 'flex' : 'hidden')}
        >
          <div className="flex items-center justify-between gap-2 border-b px-3 py-2">
            <span className="text-sm text-muted">{isMjml ? 'MJML' : 'HTML'} with Liquid</span>
            <FieldMenu onInsert={(text) => editor.current?.insert(text)} />
          </div>
          <div className="min-h-0 flex-1">
            <Suspense fallback={<Skeleton className="m-4 h-64" />}>
              <CodeEditor
                ref={editor}
                initial={isMjml ? template.mjml : template.html}
                problems={problems ?? NONE}
                onChange={(text) => change(isMjml ? { mjml: text } : { html: text })}
              />
            </Suspense>
          </div>
          <ProblemList problems={problems} onGo={goTo} />
        </section>
        <div className={cx('min-h-0 min-w-0 wide:block', side === 'letter' ? 'block' : 'hidden')}>
          <PreviewPane
            rendered={shown}
            error={preview.error ?? brokenBy(preview.data)}
            stale={preview.isPlaceholderData}
            onContact={setContactId}
          />
        </div>
      </div>
    </>
  )
}

function SideSwitch({
  side,
  onChange,
  problems,
}: {
  side: 'code' | 'letter'
  onChange: (side: 'code' | 'letter') => void
  problems: number
}) {
  return (
    <div role="group" aria-label="What is shown" className="mb-3 flex gap-1.5 wide:hidden">
      {(['code', 'letter'] as const).map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={side === value}
          onClick={() => onChange(value)}
          className="h-8 flex-1 rounded-control border text-base font-medium text-text aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
        >
          {value === 'letter' ? 'The letter' : problems > 0 ? `The source (${problems} to look at)` : 'The source'}
        </button>
      ))}
    </div>
  )
}
