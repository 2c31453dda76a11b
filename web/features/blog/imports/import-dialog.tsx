import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { blog } from '#contracts/blog/blog.ts'
import { api, errorMessage } from '#web/api.ts'
import { Ring } from '#web/ui/feedback/spinner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

interface ImportOutcome {
  name: string
  imported: number
  skipped: { title: string; reason: string }[]
  error?: string
}

/** Takes posts over from files, one file after another, and tells of each what came of it. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const [files, setFiles] = useState<File[]>([])
  const [outcomes, setOutcomes] = useState<ImportOutcome[]>([])
  const [busy, setBusy] = useState(false)
  const [missing, setMissing] = useState(false)

  async function take(event: React.FormEvent) {
    event.preventDefault()
    setMissing(files.length === 0)
    if (files.length === 0) return
    setBusy(true)
    setOutcomes([])
    for (const file of files) {
      const outcome = await takeOver(file)
      setOutcomes((old) => [...old, outcome])
    }
    setBusy(false)
    setFiles([])
    await queries.invalidateQueries({ queryKey: ['blog', 'posts'] })
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title="Import posts"
      description="From a Ghost export (JSON) or Markdown files with front matter. Drafts are imported as drafts."
    >
      <form onSubmit={take} noValidate className="space-y-4 pb-3">
        <Field
          label="Files"
          hint="JSON or Markdown, up to 50 MB each."
          error={missing ? 'Choose at least one file.' : undefined}
        >
          <Input
            key={outcomes.length === 0 ? 'first' : 'again'}
            type="file"
            multiple
            accept=".json,.md,.markdown,application/json,text/markdown"
            disabled={busy}
            className="h-auto! py-1.5"
            onChange={(event) => setFiles([...(event.target.files ?? [])])}
          />
        </Field>
        {outcomes.length > 0 && (
          <ul aria-label="Result" aria-live="polite" className="divide-y rounded-card border">
            {outcomes.map((outcome) => (
              <OutcomeRow key={outcome.name} outcome={outcome} />
            ))}
          </ul>
        )}
        {busy && (
          <p role="status" className="flex items-center gap-2 text-base text-muted">
            <Ring /> File {outcomes.length + 1} of {files.length}
          </p>
        )}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={onClose} disabled={busy}>
            Close
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            Import posts
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

async function takeOver(file: File): Promise<ImportOutcome> {
  const form = new FormData()
  form.append('file', file)
  try {
    return { name: file.name, ...(await api(blog.import, { form })) }
  } catch (error) {
    return { name: file.name, imported: 0, skipped: [], error: errorMessage(error) }
  }
}

function OutcomeRow({ outcome: { name, imported, skipped, error } }: { outcome: ImportOutcome }) {
  const whole = !error && skipped.length === 0
  const Icon = whole ? CircleCheck : CircleAlert
  return (
    <li className="flex gap-2.5 px-3.5 py-2.5 text-base">
      <Icon
        aria-hidden="true"
        className={`mt-0.5 size-4 shrink-0 ${whole ? 'text-good-text' : 'text-attention-text'}`}
      />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere text-ink">{name}</p>
        <p className="text-sm text-muted">
          {error ?? `${plural(imported, 'post')} imported${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}.`}
        </p>
        {skipped.length > 0 && (
          <ul className="mt-1 list-disc pl-4 text-sm text-text">
            {skipped.map(({ title, reason }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is shown once and never changes
              <li key={i} className="wrap-anywhere">
                {title || 'Untitled'}: {reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
