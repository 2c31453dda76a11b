import { CircleCheck, CircleDashed } from 'lucide-react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { CredentialCheck } from '#contracts/whatsapp/numbers.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input, PasswordInput } from '#web/ui/form/input.tsx'

interface ValueFieldProps {
  label: string
  hint: string
  secret: boolean
  error: string | undefined
  /** What a real call said of the value that stands here. */
  check: CredentialCheck | undefined
  /** A stored value may stay: the field may be empty. */
  optional?: boolean
  control: UseFormRegisterReturn
}

/** One of the values of Meta's pages, with Meta's answer to it in words. */
export function ValueField({ label, hint, secret, error, check, optional, control }: ValueFieldProps) {
  const wrong = check?.ok === false ? check.message : undefined
  return (
    <div>
      <Field label={label} hint={hint} error={error ?? wrong} {...(optional && { optional })}>
        {secret ? (
          <PasswordInput autoComplete="off" spellCheck={false} {...control} />
        ) : (
          <Input inputMode="numeric" autoComplete="off" spellCheck={false} {...control} />
        )}
      </Field>
      {check && check.ok !== false && !error && (
        <p className={`mt-1 flex gap-1.5 text-sm ${check.ok ? 'text-good-text' : 'text-muted'}`}>
          {check.ok ? (
            <CircleCheck aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          ) : (
            <CircleDashed aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          )}
          {check.message}
        </p>
      )}
    </div>
  )
}
