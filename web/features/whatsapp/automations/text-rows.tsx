import { CircleAlert, Plus, X } from 'lucide-react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'

interface TextRowsProps {
  legend: string
  optional?: boolean
  /** What one of them is called: "button", "choice". */
  one: string
  hint: string
  texts: string[]
  most: number
  maxLength: number
  error?: string | undefined
  onChange: (texts: string[]) => void
}

/** A few short texts under each other: buttons, choices. */
export function TextRows({ legend, optional, one, hint, texts, most, maxLength, error, onChange }: TextRowsProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium text-ink">
        {legend} {optional && <span className="font-normal text-muted">(optional)</span>}
      </legend>
      <div className="space-y-2">
        {texts.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <div key={at} className="flex items-center gap-2">
            <Input
              aria-label={`${one} ${at + 1}`}
              aria-invalid={Boolean(error) || undefined}
              className="max-w-72"
              maxLength={maxLength}
              autoComplete="off"
              value={text}
              onChange={(event) => onChange(texts.with(at, event.target.value))}
            />
            <IconButton label={`Remove ${one} ${at + 1}`} onClick={() => onChange(texts.toSpliced(at, 1))}>
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </div>
        ))}
        {texts.length < most && (
          <Button
            size="sm"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => onChange([...texts, ''])}
          >
            Add {one.toLowerCase()}
          </Button>
        )}
      </div>
      {error && (
        <p role="alert" className="mt-1.5 flex gap-1.5 text-sm text-harm-text">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      <p className="mt-1.5 text-sm text-muted">{hint}</p>
    </fieldset>
  )
}
