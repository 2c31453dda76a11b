import { SourceLink } from '#web/ui/layout/source-link.tsx'

const steps: { title: string; text: string; values: string }[] = [
  {
    title: 'Create a business app at Meta',
    text: 'developers.facebook.com, My Apps, Create App, type Business. Add the product WhatsApp to it.',
    values: '',
  },
  {
    title: 'Open WhatsApp, API Setup',
    text: 'Choose your number. Both IDs are shown below it. Neither is the phone number itself.',
    values: 'Phone number ID, business account ID',
  },
  {
    title: 'Create a token that does not expire',
    text: 'Business settings, Users, System users: add a user, assign it the app and the WhatsApp Business account, then choose Generate token with whatsapp_business_messaging and whatsapp_business_management.',
    values: 'Access token',
  },
  {
    title: 'Open App settings, Basic',
    text: 'Click Show next to App secret. It lets Postlark verify that webhook events really come from Meta.',
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
              {step.values && <p className="mt-1 text-sm text-text">Gives you: {step.values}</p>}
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-4 border-t pt-3 text-sm text-muted">
        Meta’s guide: <SourceLink url="https://developers.facebook.com/docs/whatsapp/cloud-api/get-started" title="" />
      </p>
    </section>
  )
}
