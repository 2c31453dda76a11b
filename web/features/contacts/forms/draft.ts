import type { Form } from '#contracts/contacts/forms.ts'

/** A field that is asked, with a key of its own while it is edited. */
export interface DraftField {
  key: string
  name: string
  label: string
  required: boolean
}

/** A form as it is edited. */
export interface FormDraft {
  name: string
  slug: string
  heading: string
  description: string
  button: string
  fields: DraftField[]
  lists: string[]
  tags: string[]
  optin: 'single' | 'double'
  consentWording: string
  successText: string
  redirectUrl: string
  /** One a line. */
  allowedOrigins: string
  proofOfWork: boolean
}

const WORDING = 'I agree to receive these emails. I can unsubscribe at any time with the link in each email.'

let keys = 0
export const nextKey = () => String(++keys)

/** What the builder begins with: a form there is, or a new one that only lacks its name and list. */
export function toDraft(form: Form | undefined): FormDraft {
  return {
    name: form?.name ?? '',
    slug: form?.slug ?? '',
    heading: form?.heading ?? 'Get our newsletter',
    description: form?.description ?? '',
    button: form?.button ?? 'Subscribe',
    fields: (form?.fields ?? [{ name: 'name', label: 'Name', required: false }]).map((field) => ({
      ...field,
      key: nextKey(),
    })),
    lists: form?.lists ?? [],
    tags: form?.tags ?? [],
    optin: form?.optin ?? 'double',
    consentWording: form?.consentWording ?? WORDING,
    successText: form?.successText ?? '',
    redirectUrl: form?.redirectUrl ?? '',
    allowedOrigins: form?.allowedOrigins.join('\n') ?? '',
    proofOfWork: form?.proofOfWork ?? false,
  }
}

/** The body of the request that stores it. */
export function toBody({ slug, fields, redirectUrl, allowedOrigins, ...rest }: FormDraft) {
  return {
    ...rest,
    ...(slug.trim() && { slug }),
    fields: fields.map(({ name, label, required }) => ({ name, label, required })),
    redirectUrl: redirectUrl.trim() || null,
    allowedOrigins: allowedOrigins
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  }
}
