import { FileText, FileUp, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { COLLECTOR_LIMITS } from '#contracts/collector/collector.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/input.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatBytes, formatNumber, plural } from '#web/ui/lib/format.ts'
import { type Addresses, readAddresses } from './addresses.ts'

/** What somebody named: what is typed, and a file read in the browser. */
export interface AddressInput {
  text: string
  file: { name: string; addresses: Addresses } | null
}

export const emptyInput: AddressInput = { text: '', file: null }

/** Both as one. */
export function readInput({ text, file }: AddressInput): Addresses {
  if (!file) return readAddresses(text)
  const typed = readAddresses(text)
  const both = readAddresses(`${text}\n${file.addresses.urls.join('\n')}`)
  return { ...both, wrong: typed.wrong, over: both.over + file.addresses.over }
}

/** Text files of addresses are small; more than this is something else. */
const LARGEST = 20 * 1024 * 1024

interface AddressFieldProps {
  input: AddressInput
  onChange: (input: AddressInput) => void
  read: Addresses
  error: string | undefined
}

/** Sites and pages, typed, pasted or from a file, with a live count of what was understood. */
export function AddressField({ input, onChange, read, error }: AddressFieldProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [fileError, setFileError] = useState<string>()

  async function take(file: File | undefined) {
    setFileError(undefined)
    if (!file) return
    if (file.size > LARGEST)
      return setFileError(`${file.name} is ${formatBytes(file.size)}. URL files can be up to 20 MB.`)
    const addresses = readAddresses(await file.text())
    if (addresses.urls.length === 0) return setFileError(`${file.name} has no URLs. Choose a text or CSV file.`)
    onChange({ ...input, file: { name: file.name, addresses } })
  }

  return (
    <div
      role="group"
      aria-label="URLs"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
      className={cx('rounded-card', over && 'outline-2 outline-offset-4 outline-accent-text outline-dashed')}
    >
      <Field label={<span className="text-md">Sites or pages</span>} error={error ?? fileError}>
        <Textarea
          rows={5}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          className="max-h-80"
          placeholder={'bakery.example\nhttps://bikes.example/team'}
          value={input.text}
          onChange={(event) => onChange({ ...input, text: event.target.value })}
        />
      </Field>
      {input.file && <FileChip file={input.file} onRemove={() => onChange({ ...input, file: null })} />}
      <div className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <Understood read={read} />
        <input
          ref={fileInput}
          type="file"
          accept=".txt,.csv,.tsv,text/plain,text/csv"
          aria-label="File with URLs"
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            void take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <Button
          size="sm"
          icon={<FileUp aria-hidden="true" className="size-3.5" />}
          onClick={() => fileInput.current?.click()}
        >
          {input.file ? 'Choose another file' : 'Choose a file'}
        </Button>
      </div>
    </div>
  )
}

function FileChip({ file, onRemove }: { file: NonNullable<AddressInput['file']>; onRemove: () => void }) {
  const { urls, wrong, repeated, over } = file.addresses
  const left = [
    wrong.length > 0 && `${plural(wrong.length, 'cell')} without a valid URL`,
    repeated > 0 && `${formatNumber(repeated)} repeated`,
    over > 0 && `${formatNumber(over)} beyond the first ${formatNumber(COLLECTOR_LIMITS.urls)}`,
  ].filter(Boolean)
  return (
    <div className="mt-2 flex items-center gap-3 rounded-control border bg-page px-3 py-2 text-base">
      <FileText aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="font-medium text-ink">{file.name}</span>: {plural(urls.length, 'URL', 'URLs')}
        {left.length > 0 && <span className="text-muted">. Skipped: {left.join(', ')}</span>}
      </span>
      <IconButton label={`Remove ${file.name}`} size="sm" onClick={onRemove}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  )
}

const SHOWN_WRONG = 20

function Understood({ read }: { read: Addresses }) {
  const { urls, sites, wrong, repeated, over } = read
  const id = useId()
  if (urls.length === 0 && wrong.length === 0)
    return (
      <p className="min-w-0 flex-1 basis-64 text-sm text-muted">
        One per line, or separated by commas or spaces. Up to {formatNumber(COLLECTOR_LIMITS.urls)}; you can also drop a
        text or CSV file here.
      </p>
    )
  return (
    <div className="min-w-0 flex-1 basis-64 text-sm">
      <p aria-live="polite" className="text-text">
        <span className="font-medium text-ink tabular-nums">
          {plural(urls.length, 'URL', 'URLs')} on {plural(sites, 'site')}
        </span>
        {wrong.length > 0 && `, ${formatNumber(wrong.length)} invalid ${wrong.length === 1 ? 'line' : 'lines'}`}
        {repeated > 0 && `, ${formatNumber(repeated)} repeated`}
        {over > 0 && `, ${formatNumber(over)} beyond the first ${formatNumber(COLLECTOR_LIMITS.urls)} skipped`}
      </p>
      {wrong.length > 0 && (
        <ul id={id} aria-label="No URLs" className="mt-1 space-y-0.5 text-attention-text">
          {wrong.slice(0, SHOWN_WRONG).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same words may stand there twice
            <li key={index} className="max-w-full truncate">
              “{line}”
            </li>
          ))}
          {wrong.length > SHOWN_WRONG && <li>and {formatNumber(wrong.length - SHOWN_WRONG)} more</li>}
        </ul>
      )}
    </div>
  )
}
