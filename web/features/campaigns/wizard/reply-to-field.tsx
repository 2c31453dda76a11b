import { useState } from 'react'
import { Email } from '#contracts/accounts/accounts.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { Draft } from './draft.ts'

interface ReplyToFieldProps {
  draft: Draft
  placeholder: string | undefined
}

/** Where replies go. What is no address yet stays on the screen with its reason, and is not saved. */
export function ReplyToField({ draft: { choices, change }, placeholder }: ReplyToFieldProps) {
  const [typed, setTyped] = useState(choices.replyTo ?? '')
  const [left, setLeft] = useState(false)
  const isValid = typed.trim() === '' || Email.safeParse(typed).success
  function enter(text: string) {
    setTyped(text)
    if (text.trim() === '') change({ replyTo: null }, true)
    else if (Email.safeParse(text).success) change({ replyTo: text.trim() }, true)
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
