import { useRef } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Textarea } from '#web/ui/form/input.tsx'
import { FieldMenu } from '../field-menu.tsx'

interface TextPartProps {
  own: string
  made: string
  onChange: (text: string) => void
}

/** The plain-text version: generated from the email until its author writes one. */
export function TextPart({ own, made, onChange }: TextPartProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="mx-auto flex h-full w-full max-w-200 flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-base text-text">
          {own.trim() === ''
            ? 'Generated automatically. Edit to use your own plain-text version.'
            : 'Your own version is sent. Clear it to generate one from the email again.'}
        </p>
        <div className="flex gap-2">
          {own.trim() === '' && (
            <Button size="sm" disabled={made === ''} onClick={() => onChange(made)}>
              Start from the generated text
            </Button>
          )}
          <FieldMenu
            onInsert={(text) => {
              const at = field.current?.selectionStart ?? own.length
              onChange(own.slice(0, at) + text + own.slice(at))
            }}
          />
        </div>
      </div>
      <Textarea
        ref={field}
        code
        aria-label="Plain-text version"
        className="min-h-0 flex-1"
        value={own}
        placeholder={made}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
