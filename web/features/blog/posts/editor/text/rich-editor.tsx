import 'quill/dist/quill.core.css'
import './rich-editor.css'
import type Quill from 'quill'
import { useEffect, useRef, useState } from 'react'
import { cx } from '#web/ui/lib/class-names.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { createQuill, isLinkAllowed, loadHtml, toSavedHtml } from './quill-setup.ts'
import { SlashMenu } from './slash-menu.tsx'
import { UPLOAD_FAILED, uploadImage } from './upload-image.ts'

export interface RichEditorProps {
  label: string
  /** The HTML to begin with; other HTML from outside comes by a new `key`. */
  initial: string
  onChange: (html: string) => void
  /** Called once with the HTML as the editor shows it: without sources and links it does not allow. */
  onLoad: (html: string) => void
  invalid?: boolean
  describedBy?: string | undefined
  /** Without a frame, on the page itself, with a menu to insert by typing a slash. */
  isBare?: boolean
}

type Linking = { index: number; length: number; address: string }

/** Removes the formats of the selection, or of its line where nothing is selected; returns the formats that are left. */
function removeFormats(quill: Quill): Record<string, unknown> {
  const range = quill.getSelection(true)
  if (!range) return quill.getFormat()
  const [line, offset] = quill.getLine(range.index)
  if (range.length > 0) quill.removeFormat(range.index, range.length, 'user')
  else if (line) quill.removeFormat(range.index - offset, line.length(), 'user')
  return quill.getFormat()
}

/** Links the selected text, or the address itself where nothing is selected. An empty address removes the link. */
function linkText(quill: Quill, { index, length }: Linking, address: string): void {
  if (length > 0) quill.formatText(index, length, 'link', address || false, 'user')
  else if (address) quill.insertText(index, address, 'link', address, 'user')
  else {
    const [leaf, offset] = quill.getLeaf(index)
    if (leaf) quill.formatText(index - offset, leaf.length(), 'link', false, 'user')
  }
}

/** Says to screen readers whether the text is missing, and what is said about it. */
function useDescription(quill: Quill | undefined, invalid: boolean | undefined, describedBy: string | undefined) {
  useEffect(() => {
    const root = quill?.root
    root?.setAttribute('aria-invalid', String(Boolean(invalid)))
    if (describedBy) root?.setAttribute('aria-describedby', describedBy)
    else root?.removeAttribute('aria-describedby')
  }, [quill, invalid, describedBy])
}

/** Text with headers, lists, links and images: Quill, which writes HTML. Empty text is ''. */
export default function RichEditor({
  label,
  initial,
  onChange,
  onLoad,
  invalid,
  describedBy,
  isBare,
}: RichEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Quill>(null)
  const [formats, setFormats] = useState<Record<string, unknown>>({})
  const [failed, setFailed] = useState(false)
  const [ready, setReady] = useState<Quill>()
  const chooser = useRef<HTMLInputElement>(null)
  const [linking, setLinking] = useState<Linking>()
  const latest = useRef({ onChange, onLoad, upload, askForLink })
  latest.current = { onChange, onLoad, upload, askForLink }
  const beginning = useRef(initial)

  useEffect(() => {
    if (!host.current) return
    const place = host.current.appendChild(document.createElement('div'))
    const quill = createQuill(place, {
      label,
      placeholder: isBare ? 'Write your post, or type / to insert a heading, list or image' : '',
      onImages: (files, at) => latest.current.upload(files, at),
      onLink: () => latest.current.askForLink(),
    })
    loadHtml(quill, beginning.current)
    latest.current.onLoad(toSavedHtml(quill))
    quill.on('text-change', (_delta, _before, source) => {
      // A placeholder that comes or goes is no change of the text.
      if (source !== 'user') return
      beginning.current = toSavedHtml(quill)
      latest.current.onChange(beginning.current)
    })
    quill.on('editor-change', () => {
      const range = quill.getSelection()
      if (range) setFormats(quill.getFormat(range))
    })
    editor.current = quill
    setReady(quill)
    return () => {
      quill.off('text-change')
      place.remove()
      editor.current = null
    }
  }, [label, isBare])

  useDescription(ready, invalid, describedBy)

  function upload(files: File[], at?: number) {
    const quill = editor.current
    if (!quill) return
    setFailed(false)
    let index = at ?? quill.getSelection(true)?.index ?? quill.getLength() - 1
    for (const file of files) uploadImage(quill, file, index++).catch(() => setFailed(true))
  }

  function format(name: string, value: unknown) {
    const quill = editor.current
    quill?.focus()
    quill?.format(name, value, 'user')
    if (quill) setFormats(quill.getFormat())
  }

  function clean() {
    if (editor.current) setFormats(removeFormats(editor.current))
  }

  function askForLink() {
    const range = editor.current?.getSelection(true)
    if (range) setLinking({ ...range, address: String(editor.current?.getFormat(range).link ?? '') })
  }

  function setLink(link: Linking, address: string) {
    setLinking(undefined)
    if (editor.current) linkText(editor.current, link, address)
  }

  return (
    <div>
      <div
        className={cx(
          'rich-editor',
          isBare
            ? cx('rich-editor-bare', invalid && 'rounded-control ring-1 ring-harm')
            : cx('rounded-control border bg-raised', invalid ? 'border-harm' : 'border-control'),
        )}
      >
        <EditorToolbar
          formats={formats}
          onFormat={format}
          isBare={isBare}
          chooser={chooser}
          onLink={askForLink}
          onImages={(files) => upload(files)}
          onClean={clean}
        />
        <div className="relative">
          <div ref={host} />
          {isBare && ready && <SlashMenu quill={ready} onImage={() => chooser.current?.click()} />}
        </div>
      </div>
      {failed && (
        <p role="alert" className="mt-1.5 text-sm text-harm-text">
          {UPLOAD_FAILED}
        </p>
      )}
      {linking && (
        <LinkDialog
          address={linking.address}
          isAllowed={isLinkAllowed}
          onClose={() => setLinking(undefined)}
          onChoose={(address) => setLink(linking, address)}
        />
      )}
    </div>
  )
}
