import { useState } from 'react'
import { Email } from '#contracts/accounts/accounts.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'

interface ReplyToFieldProps {
  value: string | null
  placeholder: string | undefined
  onChange: (value: string | null) => void
}

/** Where replies go. What is no address yet stays on the screen with its reason, and is not saved. */
export function ReplyToField({ value, placeholder, onChange }: ReplyToFieldProps) {
  const [typed, setTyped] = useState(value ?? '')
  const [left, setLeft] = useState(false)
  const isValid = typed.trim() === '' || Email.safeParse(typed).success
  function enter(text: string) {
    setTyped(text)
    if (text.trim() === '') onChange(null)
    else if (Email.safeParse(text).success) onChange(text.trim())
  }
  return (
    <Field
      label="Reply-to address"
      hint="Replies go here."
      error={left && !isValid ? 'Enter an email address, such as hello@example.com.' : undefined}
    >
      <Input
        type="email"
        value={typed}
        maxLength={254}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        onBlur={() => setLeft(true)}
        onChange={(event) => enter(event.target.value)}
      />
    </Field>
  )
}
