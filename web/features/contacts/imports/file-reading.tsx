import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { api, errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { ColumnMapping, type Mapping } from './column-mapping.tsx'
import { FilePicker } from './file-picker.tsx'
import { FirstRows } from './first-rows.tsx'

type Preview = ResponseBody<typeof contacts.importPreview>

/** A file and what its first rows hold. */
export interface ReadFile {
  file: File
  preview: Preview
}

/** A text file is judged by its head; a workbook has to travel whole. */
const HEAD = 1024 * 1024

function previewForm(file: File): FormData {
  const form = new FormData()
  const head = file.size > HEAD && /\.(csv|tsv|txt)$/i.test(file.name) ? file.slice(0, HEAD, file.type) : file
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
  return (
    <div className="space-y-5">
      <FilePicker
        file={file}
        onFile={choose}
        error={preview.isError ? `${errorMessage(preview.error)} ${refused}. Your file was not changed.` : undefined}
      />
      {preview.isPending && <Spinner text="Reading the first rows…" className="py-6" />}
      {preview.data && file && !preview.isPending && (
        <div key={`${file.name} ${file.size} ${file.lastModified}`}>{children({ file, preview: preview.data })}</div>
      )}
    </div>
  )
}

interface FileColumnsProps {
  preview: Preview
  mapping: Mapping
  onChange: (mapping: Mapping) => void
  error: string | undefined
}

/** What a file is, its first rows, and what each column means. */
export function FileColumns({ preview, mapping, onChange, error }: FileColumnsProps) {
  return (
    <>
      <p className="text-base text-text">
        This is{' '}
        {preview.kind === 'xlsx'
          ? 'an Excel workbook. Its first sheet is used'
          : `a text file in ${preview.encoding}${delimiterWords(preview.delimiter)}`}
        . It has {preview.columns.length} {preview.columns.length === 1 ? 'column' : 'columns'}.
      </p>
      <FirstRows columns={preview.columns} rows={preview.rows} />
      <div>
        <h3 className="mb-2 text-sm font-medium text-ink">Map your columns</h3>
        <ColumnMapping columns={preview.columns} rows={preview.rows} mapping={mapping} onChange={onChange} />
        {error && (
          <Banner tone="harm" role="alert" className="mt-3">
            {error}
          </Banner>
        )}
      </div>
    </>
  )
}

function delimiterWords(delimiter: string | null): string {
  const names: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }
  return delimiter ? `, separated by ${names[delimiter] ?? `“${delimiter}”`}` : ''
}
