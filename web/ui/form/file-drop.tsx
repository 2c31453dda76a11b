import { FileUp } from 'lucide-react'
import { useId, useState } from 'react'
import { cx } from '../lib/class-names.ts'
import { formatBytes } from '../lib/format.ts'

interface FileDropProps {
  label: string
  /** What may be dropped and how large: "CSV or XLSX, up to 200 MB". */
  hint: string
  /** As in `<input accept>`. */
  accept: string
  file?: File | null
  onFile: (file: File) => void
  disabled?: boolean
  error?: string | undefined
}

/** A place to drop one file or to choose one with the keyboard. */
export function FileDrop({ label, hint, accept, file, onFile, disabled, error }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  return (
    <div>
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault()
          if (!disabled) setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const dropped = event.dataTransfer.files[0]
          if (dropped && !disabled) onFile(dropped)
        }}
        className={cx(
          'flex items-center rounded-card border-2 border-dashed transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent-text',
          file ? 'flex-wrap gap-x-3 gap-y-1 px-4 py-2.5' : 'flex-col px-6 py-8 text-center',
          over ? 'border-accent-text bg-accent-soft' : error ? 'border-harm' : 'border-control/60 hover:border-control',
          disabled && 'opacity-60',
        )}
      >
        <FileUp aria-hidden="true" className={cx('shrink-0 text-muted', file ? 'size-5' : 'mb-2 size-6')} />
        <span
          className={cx(
            'text-base font-medium wrap-anywhere text-ink',
            file ? 'min-w-0 flex-1 basis-40' : 'max-w-full',
          )}
        >
          {file ? file.name : label}
        </span>
        <span className={cx('text-sm text-muted', file ? 'shrink-0' : 'mt-0.5')}>
          {file ? `${formatBytes(file.size)} · Choose another file` : hint}
        </span>
        <input
          id={id}
          type="file"
          accept={accept}
          disabled={disabled}
          aria-describedby={error ? `${id}-error` : undefined}
          className="sr-only"
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            if (chosen) onFile(chosen)
            event.target.value = ''
          }}
        />
      </label>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-harm-text">
          {error}
        </p>
      )}
    </div>
  )
}
