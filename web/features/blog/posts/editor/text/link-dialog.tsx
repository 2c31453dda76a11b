import { useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

interface LinkDialogProps {
  /** The address there is. */
  address: string
  isAllowed: (address: string) => boolean
  onClose: () => void
  /** An empty address takes the link away. */
  onChoose: (address: string) => void
}

/** "example.com" is meant as a web address, "a@example.com" as one of mail. */
function completed(typed: string): string {
  const address = typed.trim()
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) || /^[/#?]/.test(address) || !address) return address
  return /^[^\s@/]+@[^\s@/]+$/.test(address) ? `mailto:${address}` : `https://${address}`
}

/** Asks where a link leads. */
export function LinkDialog({ address, isAllowed, onClose, onChoose }: LinkDialogProps) {
  const [text, setText] = useState(address)
  const [error, setError] = useState<string>()
  function choose(event: React.FormEvent) {
    event.preventDefault()
    // The dialog stands inside the post's form, for React at least.
    event.stopPropagation()
    const whole = completed(text)
    if (!whole) return setError('Enter a URL.')
    if (!isAllowed(whole)) return setError('Links must start with http, https, mailto or tel.')
    onChoose(whole)
  }
  return (
    <Dialog isForm open onOpenChange={(open) => !open && onClose()} title="Link" size="sm">
      <form onSubmit={choose} noValidate className="space-y-4 pb-3">
        <Field label="URL" error={error}>
          <Input
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          {address && <Button onClick={() => onChoose('')}>Remove link</Button>}
          <Button kind="primary" type="submit">
            Set link
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
