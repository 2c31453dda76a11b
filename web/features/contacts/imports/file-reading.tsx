import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import { api, errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { ColumnMapping } from './column-mapping.tsx'
import type { FileColumnChoices, Preview } from './file-columns.ts'
import { FilePicker } from './file-picker.tsx'

/** A file and what its first rows hold. */
export interface ReadFile {
  file: File
  preview: Preview
}

/** A text file is judged by its head; a workbook has to travel whole. */
const HEAD = 1024 * 1024

/** Which part of a file is looked into, 0 to 1. */
export const sharePreviewed = ({ size, name }: File): number =>
  size > HEAD && /\.(csv|tsv|txt)$/i.test(name) ? HEAD / size : 1

function previewForm(file: File): FormData {
  const form = new FormData()
  const head = sharePreviewed(file) < 1 ? file.slice(0, HEAD, file.type) : file
  form.append('file', head, file.name)
  return form
}

interface FileReadingProps {
  /** What did not happen when a file cannot be read: "Nothing was imported". */
  refused: string
  children: (read: ReadFile) => React.ReactNode
}

/** A file or pasted rows, looked into; then what is to become of them. */
export function FileReading({ refused, children }: FileReadingProps) {
  const [file, setFile] = useState<File | null>(null)
  const preview = useMutation({
    mutationFn: (chosen: File) => api(contacts.importPreview, { form: previewForm(chosen) }),
  })
  const choose = (chosen: File) => {
    setFile(chosen)
    preview.mutate(chosen)
  }
  const problem = preview.isError ? errorMessage(preview.error) : undefined
  return (
    <div className="space-y-5">
      <FilePicker file={file} onFile={choose} error={problem && `${problem} ${refused}. Your file was not changed.`} />
      {preview.isPending && <Spinner text="Reading the first rows…" className="py-6" />}
      {preview.data && file && !preview.isPending && (
        <div key={`${file.name} ${file.size} ${file.lastModified}`}>{children({ file, preview: preview.data })}</div>
      )}
    </div>
  )
}

interface FileColumnsProps {
  preview: Preview
  choices: FileColumnChoices
  error: string | undefined
}

/** What was found in a file, and what each of its columns becomes. */
export function FileColumns({ preview, choices, error }: FileColumnsProps) {
  return (
    <section aria-label="Map your columns">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-sm font-medium text-ink">Map your columns</h3>
        <p className="text-sm text-muted">
          {plural(preview.columns.length, 'column')} found
          {preview.kind === 'csv' && !/^utf-8$/i.test(preview.encoding) && ` (${preview.encoding})`}
        </p>
      </div>
      <ColumnMapping
        columns={preview.columns}
        rows={preview.rows}
        mapping={choices.mapping}
        onChange={choices.setMapping}
        dateFormats={choices.dateFormats}
        onDateFormat={choices.setDateFormat}
      />
      {error && (
        <Banner tone="harm" role="alert" className="mt-3">
          {error}
        </Banner>
      )}
    </section>
  )
}
