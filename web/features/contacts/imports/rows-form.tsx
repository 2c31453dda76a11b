import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { useFileColumns } from './file-columns.ts'
import { FileColumns, FileReading, type ReadFile } from './file-reading.tsx'

interface RowsFormProps {
  /** Takes `file` and `mapping`. What it rejects with is shown, and the rows stay. */
  onUse: (form: FormData) => Promise<void>
}

/** Rows pasted or of a spreadsheet, each with an email address, for one purpose and not for a list that is chosen. */
export function RowsForm({ onUse }: RowsFormProps) {
  return <FileReading refused="No rows were imported">{(read) => <PreparedRows {...read} onUse={onUse} />}</FileReading>
}

function PreparedRows({ file, preview, onUse }: ReadFile & RowsFormProps) {
  const columns = useFileColumns(preview)
  const [asked, setAsked] = useState(false)
  const error = Object.values(columns.mapping).includes('email')
    ? columns.error
    : 'Choose the column with the email address.'
  const use = useMutation({
    mutationFn: () => {
      const form = new FormData()
      columns.addTo(form)
      form.append('file', file, file.name)
      return onUse(form)
    },
  })
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (!error) use.mutate()
      }}
    >
      <FileColumns preview={preview} choices={columns} error={asked ? error : undefined} />
      <Banner>
        Only email people who agreed to hear from you. If an address is in several rows, it gets one email with the
        values of the last row.
      </Banner>
      {use.isError && <FormBanner error={`${errorMessage(use.error)} The recipients were not changed.`} />}
      <Button kind="primary" type="submit" busy={use.isPending}>
        {use.isPending ? 'Uploading the rows' : 'Use these recipients'}
      </Button>
    </form>
  )
}
