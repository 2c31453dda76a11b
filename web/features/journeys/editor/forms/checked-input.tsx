import { useState } from 'react'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'

interface CheckedInputProps extends Omit<React.ComponentProps<typeof Input>, 'value' | 'onChange'> {
  label: string
  hint?: React.ReactNode
  value: string
  /** Why a text cannot be taken, as a sentence; undefined: it can. */
  check: (text: string) => string | undefined
  /** Hears of every text that can be taken. */
  onEnter: (text: string) => void
}

/** One line that is passed on while it is valid. What is not stays in sight with its reason, and is not saved. */
export function CheckedInput({ label, hint, value, check, onEnter, className, ...rest }: CheckedInputProps) {
  const [typed, setTyped] = useState(value)
  const [isLeft, setLeft] = useState(false)
  // Undo, or another tab, gave it another value.
  const [last, setLast] = useState(value)
  if (value !== last) {
    setLast(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const fault = check(typed)
  return (
    <Field label={label} hint={hint} error={isLeft ? fault : undefined} className={className ?? ''}>
      <Input
        autoComplete="off"
        value={typed}
        onBlur={() => setLeft(true)}
        onChange={(event) => {
          setTyped(event.target.value)
          if (check(event.target.value) === undefined) onEnter(event.target.value)
        }}
        {...rest}
      />
    </Field>
  )
}
