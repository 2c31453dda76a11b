import { setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useImperativeHandle, useRef } from 'react'
import type { TemplateProblem } from '#contracts/templates/templates.ts'
import { codeSetup } from './code-setup.ts'

/** What the page may ask of the editor. */
export interface CodeEditorHandle {
  insert: (text: string) => void
  /** Puts another text in the place of all of it; undo goes back. */
  replace: (text: string) => void
  goToLine: (line: number) => void
}

interface CodeEditorProps {
  /** The text to begin with; later changes from outside come by `replace` or a new `key`. */
  initial: string
  onChange: (text: string) => void
  problems: TemplateProblem[]
  ref?: React.Ref<CodeEditorHandle>
}

/** The source of an email with line numbers, colors and marks at lines with problems. Tab indents; Esc, then Tab leaves. */
export default function CodeEditor({ initial, onChange, problems, ref }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(onChange)
  latest.current = onChange

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text belongs to the editor once it stands
  useEffect(() => {
    if (!host.current) return
    const tell = EditorView.updateListener.of(
      (update) => update.docChanged && latest.current(update.state.doc.toString()),
    )
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({ doc: initial, extensions: [codeSetup, tell] }),
    })
    view.current = made
    return () => {
      view.current = null
      made.destroy()
    }
  }, [])

  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const { doc } = editor.state
    const marks = problems.flatMap(({ line, severity, message }) => {
      if (line === null || line < 1 || line > doc.lines) return []
      const { from, to } = doc.line(line)
      return [{ from, to, severity, message }]
    })
    editor.dispatch(setDiagnostics(editor.state, marks))
  }, [problems])

  useImperativeHandle(ref, () => ({
    insert(text) {
      const editor = view.current
      if (!editor) return
      editor.dispatch(editor.state.replaceSelection(text))
      editor.focus()
    },
    replace(text) {
      const editor = view.current
      editor?.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
    },
    goToLine(line) {
      const editor = view.current
      if (!editor) return
      const at = editor.state.doc.line(Math.min(Math.max(line, 1), editor.state.doc.lines)).from
      editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
      editor.focus()
    },
  }))

  return <div ref={host} className="h-full min-h-0 overflow-hidden" />
}
