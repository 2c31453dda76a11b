import { Check, Pencil, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { cx } from '../lib/class-names.ts'
import { formatStoredDay } from '../lib/format.ts'
import { IconButton } from './button.tsx'
import { Input } from './input.tsx'

interface InlineFieldProps {
  label: string
  value: string
  type?: 'text' | 'email' | 'tel' | 'date'
  maxLength?: number
  /** Awaited; throws an error whose message is shown, and the field stays open. */
  onSave: (value: string) => Promise<unknown>
  /** Its words for an error of onSave. */
  toMessage: (error: unknown) => string
}

/** A value with its name, edited where it stands: Enter saves, Esc leaves it as it was. "-" for no value. */
export function InlineField({ label, value, type = 'text', maxLength = 200, onSave, toMessage }: InlineFieldProps) {
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const editing = text !== null
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !editing) opener.current?.focus()
    wasEditing.current = editing
  }, [editing])

  function close() {
    setText(null)
    setError(null)
  }
  async function save(event: React.FormEvent) {
    event.preventDefault()
    if (text === null) return
    if (text.trim() === value) return close()
    setBusy(true)
    try {
      await onSave(text.trim())
      close()
    } catch (cause) {
      setError(toMessage(cause))
    } finally {
      setBusy(false)
    }
  }

  const shown = (type === 'date' ? formatStoredDay(value) : value) || '-'
  if (!editing)
    return (
      <div className="flex min-h-9 items-center gap-x-3 max-sm:flex-col max-sm:items-stretch max-sm:pb-1.5">
        <span className="shrink-0 text-sm text-muted wrap-anywhere sm:w-20">{label}</span>
        <button
          ref={opener}
          type="button"
          aria-label={`Edit ${label}: ${shown}`}
          onClick={() => setText(value)}
          className="group flex min-h-8 min-w-0 flex-1 items-center justify-between gap-2 rounded-control px-2 text-left text-base max-sm:-mx-2 max-sm:flex-none text-ink hover:bg-hover"
        >
          <span className={cx('min-w-0 wrap-anywhere', !value && 'text-muted')}>{shown}</span>
          <Pencil
            aria-hidden="true"
            className="size-3.5 shrink-0 text-muted hover-device:opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
          />
        </button>
      </div>
    )
  return (
    <form noValidate onSubmit={save} className="py-0.5">
      <div className="flex items-center gap-2 max-sm:flex-wrap">
        <label htmlFor={id} className="shrink-0 pr-1 max-sm:w-full sm:w-20 text-sm text-muted wrap-anywhere">
          {label}
        </label>
        <Input
          id={id}
          className="min-w-0 max-sm:w-auto max-sm:flex-1"
          type={type}
          value={text}
          maxLength={maxLength}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : `${id}-error`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && close()}
        />
        <IconButton type="submit" label={`Save ${label}`} disabled={busy}>
          <Check aria-hidden="true" className="size-4" />
        </IconButton>
        <IconButton label="Cancel" onClick={close}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm text-harm-text sm:pl-22">
          {error}
        </p>
      )}
    </form>
  )
}
