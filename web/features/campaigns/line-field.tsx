import { useRef } from 'react'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { adviseLine } from './wizard/line-advice.ts'
import { VariableMenu } from './wizard/variable-menu.tsx'

interface LineFieldProps {
  label: string
  kind: 'subject' | 'preview'
  value: string
  /** What is missing or wrong. */
  error?: string | undefined
  /** The columns of a campaign's own rows, in place of the contacts'. */
  fields?: string[]
  onChange: (value: string) => void
}

/** A line of the inbox with its length and a button for variables, which go in where the cursor stands. */
export function LineField({ label, kind, value, error, fields = [], onChange }: LineFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  function insert(variable: string) {
    const { selectionStart, selectionEnd } = input.current ?? {}
    const at = selectionStart ?? value.length
    onChange(value.slice(0, at) + variable + value.slice(selectionEnd ?? at))
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(at + variable.length, at + variable.length)
    })
  }
  return (
    <Field
      label={label}
      hint={adviseLine(value, kind)}
      error={error}
      aside={<VariableMenu fields={fields} onInsert={insert} />}
    >
      <Input
        ref={input}
        value={value}
        maxLength={300}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
