import { useEffect, useState } from 'react'
import { FormBanner } from '../feedback/banner.tsx'
import { Button } from '../form/button.tsx'
import { Field } from '../form/field.tsx'
import { Input } from '../form/input.tsx'
import { isTypedName } from '../lib/typed-name.ts'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** What will be gone and what stays. */
  children: React.ReactNode
  /** A verb with its object: "Delete 3 contacts". */
  action: string
  /** When given, this has to be typed before the button works (typed-name.ts). */
  typed?: string
  /** Awaited; the dialog closes when it resolves and shows the message when it throws. */
  onConfirm: () => Promise<unknown>
}

/** Asks before something is destroyed. For what cannot be undone, pass `typed` with the name of the thing. */
export function ConfirmDialog({ open, onOpenChange, title, children, action, typed, onConfirm }: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    if (!open) return
    setText('')
    setError(null)
  }, [open])

  async function confirm(event: React.FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      onOpenChange(false)
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} size="sm" isForm>
      <form onSubmit={confirm} className="space-y-4 pb-3">
        <FormBanner error={error} />
        <div className="text-text">{children}</div>
        {typed !== undefined && (
          <Field
            label={
              <>
                Type <strong className="break-all">{typed}</strong> to confirm
              </>
            }
          >
            <Input
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        )}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={() => onOpenChange(false)}>Go back</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={typed !== undefined && !isTypedName(text, typed)}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
