interface NameFieldProps {
  /** Whose name it is, such as "Journey name". */
  label: string
  value: string
  readOnly?: boolean
  onChange: (name: string) => void
}

/** The name of what is edited, in the bar above it. */
export function NameField({ label, value, readOnly = false, onChange }: NameFieldProps) {
  const isEmpty = value.trim() === ''
  return (
    <input
      aria-label={label}
      aria-invalid={isEmpty || undefined}
      title={isEmpty ? 'Enter a name. Until then, the last name is used.' : value}
      className="h-7 max-w-60 min-w-16 shrink truncate rounded-control border border-transparent bg-transparent px-1.5 text-base font-medium text-ink [field-sizing:content] hover:border-line focus:border-control focus:bg-raised aria-invalid:border-harm max-sm:min-w-0 max-sm:px-0"
      value={value}
      maxLength={120}
      autoComplete="off"
      readOnly={readOnly}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
