import { useEffect, useRef, useState } from 'react'
import { toSentence } from '#contracts/invalid-input.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'

/** The server takes no form filled within three seconds; a visitor who is that quick waits for the rest of them. Milliseconds. */
const QUICKEST = 3_200

type FieldName = 'name' | 'email' | 'message'
type FormOutcome =
  | { kind: 'writing' | 'sending' | 'sent' }
  | { kind: 'refused'; text: string; field?: FieldName | undefined }

const labels: Record<FieldName, string> = { name: 'Name', email: 'Email', message: 'Message' }

/** What is wrong with the fields as the browser sees them, in our words. */
function findFaults(form: HTMLFormElement): Partial<Record<FieldName, string>> {
  const faults: Partial<Record<FieldName, string>> = {}
  for (const name of ['name', 'email', 'message'] as const) {
    const { validity, value } = form.elements.namedItem(name) as HTMLInputElement
    if (value.trim() === '') faults[name] = `${labels[name]} is required.`
    else if (validity.typeMismatch) faults[name] = 'Email must be a valid email address.'
    else if (name === 'message' && value.trim().length < 10) faults[name] = 'Message must have at least 10 characters.'
  }
  return faults
}

/** Sends the form; returns what the server refusal. */
async function send(form: HTMLFormElement, word: string): Promise<FormOutcome> {
  const given = new FormData(form)
  const body = JSON.stringify({ ...Object.fromEntries(given), form: word })
  const response = await fetch('/api/contact', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  if (response.ok || response.status === 409) return { kind: 'sent' }
  const refusal = (await response.json()) as { message: string; details?: { field: string; message: string }[] }
  const field = refusal.details?.[0]?.field
  return field && field in labels
    ? {
        kind: 'refused',
        text: toSentence(labels[field as FieldName], refusal.details?.[0]?.message ?? 'is invalid'),
        field: field as FieldName,
      }
    : { kind: 'refused', text: refusal.message }
}

/** The form to write to the operator. Works without scripts (then the server leads back here); with them nothing typed is lost. */
export function ContactForm({ word, sent, problem }: { word: string; sent: boolean; problem: string | undefined }) {
  const [outcome, setOutcome] = useState<FormOutcome>(
    sent ? { kind: 'sent' } : problem ? { kind: 'refused', text: problem } : { kind: 'writing' },
  )
  const [faults, setFaults] = useState<Partial<Record<FieldName, string>>>({})
  const [ours, setOurs] = useState(false)
  const opened = useRef(Date.now())
  useEffect(() => {
    opened.current = Date.now()
    setOurs(true)
  }, [])

  async function submit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const found = findFaults(form)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first) return (form.elements.namedItem(first) as HTMLElement).focus()
    setOutcome({ kind: 'sending' })
    await new Promise((resolve) => setTimeout(resolve, opened.current + QUICKEST - Date.now()))
    try {
      const result = await send(form, word)
      if (result.kind === 'refused' && result.field) setFaults({ [result.field]: result.text })
      setOutcome(result)
    } catch {
      setOutcome({
        kind: 'refused',
        text: 'The server could not be reached. Your message is still here. Check your connection and send it again.',
      })
    }
  }

  if (outcome.kind === 'sent') return <Sent />
  return (
    <form method="post" action="/api/contact" encType="multipart/form-data" noValidate={ours} onSubmit={submit}>
      {outcome.kind === 'refused' && !outcome.field && (
        <p role="alert" className="mb-5 rounded-card border border-harm/35 bg-harm-soft px-4 py-3 text-base text-ink">
          {outcome.text}
        </p>
      )}
      <input type="hidden" name="form" value={word} />
      {/* A trap for programs that fill in everything; nobody sees it. */}
      <div aria-hidden="true" className="absolute -left-2499 size-px overflow-hidden">
        <label>
          Leave this empty
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Name" error={faults.name}>
            <Input name="name" autoComplete="name" required maxLength={120} />
          </Field>
          <Field label="Email" error={faults.email}>
            <Input name="email" type="email" autoComplete="email" required maxLength={254} />
          </Field>
        </div>
        <Field label="Message" hint="Between 10 and 5,000 characters." error={faults.message}>
          <Textarea name="message" rows={8} required minLength={10} maxLength={5_000} />
        </Field>
      </div>
      <Button type="submit" kind="primary" size="lg" busy={outcome.kind === 'sending'} className="mt-6 w-full">
        {outcome.kind === 'sending' ? 'Sending your message' : 'Send message'}
      </Button>
    </form>
  )
}

function Sent() {
  return (
    <div role="status" className="flex flex-col items-center py-14 text-center">
      <svg aria-hidden="true" viewBox="0 0 120 80" width="120" height="80" fill="none">
        <rect x="14" y="10" width="92" height="62" rx="8" fill="var(--color-raised)" stroke="var(--color-line)" />
        <path d="M15 16l45 32 45-32" stroke="var(--color-accent)" strokeWidth="2" strokeLinejoin="round" />
        <circle cx="104" cy="16" r="13" fill="var(--color-good-soft)" />
        <path d="M98 16l4.5 4.5L110 12" stroke="var(--color-good-text)" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <h2 className="mt-6 text-lg font-semibold">Message sent</h2>
      <p className="mt-2 max-w-[40ch] text-md text-muted">
        Your message was sent to the person who runs this Postlark server. You’ll get a reply by email.
      </p>
    </div>
  )
}
