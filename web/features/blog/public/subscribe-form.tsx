import { useId, useState } from 'react'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'

type SubscribeState =
  | { kind: 'asking' | 'sending' }
  | { kind: 'sent'; email: string }
  | { kind: 'failed'; message: string }

/** Loaded when it is needed: the contracts it brings along are more script than the rest of the page. */
async function subscribe(email: string): Promise<SubscribeState> {
  try {
    const [{ publicApi }, { blog }] = await Promise.all([import('#web/api.ts'), import('#contracts/blog/blog.ts')])
    await publicApi(blog.subscribe, { body: { email } })
    return { kind: 'sent', email }
  } catch (error) {
    return { kind: 'failed', message: await wordsFor(error) }
  }
}

async function wordsFor(error: unknown): Promise<string> {
  const { errorMessage: messageOf } = await import('#web/api.ts')
  const { sentence } = await import('#web/forms.ts')
  const details = (error as { details?: { field?: string; message: string }[] }).details
  const told = details?.find((detail) => detail.field === 'email')
  return (told && sentence('The email address', told.message)) || messageOf(error)
}

/** Asks for new posts by mail. Nothing is sent before the email with the link is answered, and it says so. */
export function SubscribeForm() {
  const id = useId()
  const [state, setState] = useState<SubscribeState>({ kind: 'asking' })
  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim()
    if (!email) return setState({ kind: 'failed', message: 'Enter your email address.' })
    setState({ kind: 'sending' })
    setState(await subscribe(email))
  }
  const failed = state.kind === 'failed'
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-dialog border bg-surface px-6 py-8 sm:px-10">
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        Get new posts by email
      </h2>
      <p className="mt-1.5 text-md text-text">One email per post. Unsubscribe anytime.</p>
      {state.kind === 'sent' ? (
        <Banner tone="good" role="status" title="Confirm your email address" className="mt-5">
          We have sent an email to <strong className="wrap-anywhere">{state.email}</strong>. Open the link in it to
          confirm your subscription.
        </Banner>
      ) : (
        <form method="post" noValidate onSubmit={submit} className="mt-5">
          <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink">
            Your email address
          </label>
          <div className="flex max-w-md flex-col gap-2 min-[480px]:flex-row">
            <Input
              id={id}
              type="email"
              name="email"
              autoComplete="email"
              required
              maxLength={254}
              aria-invalid={failed || undefined}
              aria-describedby={failed ? `${id}-error` : undefined}
              className="min-w-0 min-[480px]:flex-1"
            />
            <Button type="submit" kind="primary" busy={state.kind === 'sending'}>
              Subscribe
            </Button>
          </div>
          {failed && (
            <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-harm-text">
              {state.message}
            </p>
          )}
        </form>
      )}
    </section>
  )
}
