import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, FieldValues, Path, Resolver, UseFormSetError } from 'react-hook-form'
import { ApiError } from '#contracts/client.ts'
import { toSentence } from '#contracts/invalid-input.ts'
import { errorMessage } from './api.ts'

/** React Hook Form checks with the contract's own Zod schema before anything is sent; an empty field that fails is missing, not wrong. */
export const checkedBy = ((schema: Parameters<typeof zodResolver>[0]) => {
  const check = zodResolver(schema) as Resolver
  const resolver: Resolver = async (values, context, options) => {
    const result = await check(values, context, options)
    for (const [name, error] of Object.entries(result.errors)) {
      if (error && values[name] === '') error.message = 'is required'
    }
    return result
  }
  return resolver
}) as unknown as typeof zodResolver

/** The contract's messages are predicates ("is required"); with the field's name in front they are sentences. */
export function sentence(label: string, message: string | undefined): string | undefined {
  return message ? toSentence(label, message) : undefined
}

/** The sentence for one field of a form. */
export function fieldError<T extends FieldValues>(
  errors: FieldErrors<T>,
  field: Path<T>,
  label: string,
): string | undefined {
  const message = errors[field]?.message
  return typeof message === 'string' ? sentence(label, message) : undefined
}

/** What a refusal says of one field, as a sentence; undefined: it is about something else. */
export function refusedField(error: unknown, field: string, label: string): string | undefined {
  const details = error instanceof ApiError ? error.details : []
  return sentence(label, details.find((detail) => detail.field === field)?.message)
}

/** Puts a refusal where it belongs: on the fields it names, else over the form (`errors.root`). */
export function showRefusal<T extends FieldValues>(
  setError: UseFormSetError<T>,
  fields: Path<T>[],
  error: unknown,
  fallback?: string,
): void {
  const known =
    error instanceof ApiError ? error.details.filter((detail) => fields.includes(detail.field as Path<T>)) : []
  for (const detail of known) setError(detail.field as Path<T>, { message: detail.message })
  if (known.length === 0) setError('root', { message: errorMessage(error) || fallback || '' })
}
