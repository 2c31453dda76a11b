import { SourceLink } from '#web/ui/source-link.tsx'

const steps: { title: string; text: string; values: string }[] = [
  {
    title: 'Make a business app at Meta',
    text: 'developers.facebook.com, My Apps, Create App, type Business. Add the product WhatsApp to it.',
    values: '',
  },
  {
    title: 'Open WhatsApp, API Setup',
    text: 'Choose your number. Both ids stand under it; neither is the telephone number itself.',
    values: 'Phone number id, business account id',
  },
  {
    title: 'Make a token that does not expire',
    text: 'Business settings, Users, System users: add one, give it the app and the WhatsApp account, then Generate token with whatsapp_business_messaging and whatsapp_business_management.',
    values: 'Access token',
  },
  {
    title: 'Open App settings, Basic',
    text: 'Press Show beside App secret. With it we know that what comes in really comes from Meta.',
    values: 'App secret',
  },
]

/** Where each value stands in Meta's pages, in the order one comes past them. */
export function WhereToFind() {
  return (
    <section aria-labelledby="where-to-find" className="rounded-card border bg-surface p-5">
      <h2 id="where-to-find" className="text-base font-semibold">
        Where to find the four values
      </h2>
      <ol className="mt-4 space-y-4">
        {steps.map((step, at) => (
          <li key={step.title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-5.5 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold text-text tabular-nums"
            >
              {at + 1}
            </span>
            <div className="min-w-0">
              <p className="text-base font-medium text-ink">{step.title}</p>
              <p className="text-sm text-muted">{step.text}</p>
              {step.values && <p className="mt-1 text-sm text-text">Gives: {step.values}</p>}
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-4 border-t pt-3 text-sm text-muted">
        Meta's own guide:{' '}
        <SourceLink url="https://developers.facebook.com/docs/whatsapp/cloud-api/get-started" title="" />
      </p>
    </section>
  )
}
