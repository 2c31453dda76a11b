import { lazy, Suspense, useEffect, useRef } from 'react'
import type { TemplateProblem } from '#contracts/templates/templates.ts'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { FieldMenu } from '../field-menu.tsx'
import type { CodeEditorHandle } from './code-editor.tsx'
import { type Outside, useOutside } from './use-outside.ts'

const CodeEditor = lazy(() => import('./code-editor.tsx'))
const NONE: TemplateProblem[] = []

interface SourceViewProps {
  initial: string
  language: 'MJML' | 'HTML'
  problems: TemplateProblem[] | undefined
  /** A line to go to; a new object goes there again. */
  wanted: { line: number } | null
  outside: Outside
  onChange: (text: string) => void
}

/** The email as code, with its problems at their lines. */
export default function SourceView({ initial, language, problems, wanted, outside, onChange }: SourceViewProps) {
  const editor = useRef<CodeEditorHandle>(null)
  useOutside(outside, (text) => editor.current?.replace(text))
  useEffect(() => {
    if (!wanted) return
    // The editor may still be loading.
    const timer = setInterval(() => {
      if (!editor.current) return
      clearInterval(timer)
      editor.current.goToLine(wanted.line)
    }, 50)
    return () => clearInterval(timer)
  }, [wanted])
  return (
    <section aria-label="Source" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex items-center justify-between gap-2 border-b px-3 py-2">
        <span className="text-sm text-muted">{language} with Liquid</span>
        <FieldMenu onInsert={(text) => editor.current?.insert(text)} />
      </div>
      <div className="min-h-0 flex-1">
        <Suspense fallback={<Skeleton className="m-4 h-64" />}>
          <CodeEditor ref={editor} initial={initial} problems={problems ?? NONE} onChange={onChange} />
        </Suspense>
      </div>
    </section>
  )
}
