import { useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Textarea } from '#web/ui/form/input.tsx'

/** A file to drop or choose; or rows pasted from a spreadsheet, which become a file. */
export function FilePicker({
  file,
  onFile,
  error,
}: {
  file: File | null
  onFile: (file: File) => void
  error?: string | undefined
}) {
  const [pasting, setPasting] = useState(false)
  const [text, setText] = useState('')
  if (!pasting)
    return (
      <div className="space-y-2">
        <FileDrop
          label="Drop a CSV or Excel file here, or choose one"
          hint="CSV or XLSX, with column names in the first row"
          accept=".csv,.tsv,.txt,.xlsx,text/csv"
          file={file}
          onFile={onFile}
          error={error}
        />
        {!file && (
          <Button kind="quiet" size="sm" onClick={() => setPasting(true)}>
            Paste rows instead
          </Button>
        )}
      </div>
    )
  return (
    <div className="space-y-2">
      <Field
        label="Rows, starting with the column names"
        hint="Copy them from a spreadsheet, or separate values with commas."
        error={error}
      >
        <Textarea
          code
          rows={8}
          spellCheck={false}
          value={text}
          placeholder={'email,name,company\nada@example.com,Ada,Analytical Engines'}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="flex gap-2">
        <Button
          size="sm"
          disabled={text.trim() === ''}
          onClick={() => onFile(new File([text], 'pasted-rows.csv', { type: 'text/csv' }))}
        >
          Use these rows
        </Button>
        <Button kind="quiet" size="sm" onClick={() => setPasting(false)}>
          Choose a file instead
        </Button>
      </div>
    </div>
  )
}
