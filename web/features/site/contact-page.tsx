import { useSearchParams } from 'react-router'
import { contact } from '#contracts/contact.ts'
import { apiContext } from '#web/page-context.ts'
import type { Route } from './+types/contact-page.ts'
import { ContactForm } from './contact-form.tsx'
import { pageMeta } from './page-meta.ts'
import { siteFacts } from './site-content.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Contact Us · Postlark',
    description: 'Write to the people who run this Postlark. A person answers, by e-mail.',
    path: '/contact',
    picture: 'contact',
    data: { '@type': 'ContactPage', name: 'Contact Postlark' },
  })

/** The form's signed word, so that it works without scripts too. */
export const loader = ({ context }: Route.LoaderArgs) => context.get(apiContext)(contact.form)

/** What became of a form that was sent without scripts, by the address it led back to. */
const problems: Record<string, string> = {
  name: 'Your message was not sent: the name is missing or has a line break in it.',
  email: 'Your message was not sent: the e-mail address is not one.',
  message: 'Your message was not sent: it needs between 10 and 5,000 characters.',
  often: 'Your message was not sent: many came from your connection within an hour. Wait a little and send it again.',
  twice: 'This message was sent already. We have it.',
}
const otherProblem = 'Your message was not sent: the form was open for very long or very short. Send it once more.'

export default function ContactPage({ loaderData }: Route.ComponentProps) {
  const [query] = useSearchParams()
  const problem = query.get('problem')
  const { contact: reach } = siteFacts
  return (
    <div className="mx-auto grid max-w-300 gap-x-20 gap-y-12 px-5 pt-16 pb-24 sm:px-8 wide:grid-cols-[1fr_1.15fr] wide:pt-24">
      <div>
        <h1 className="text-3xl font-[680] tracking-[-0.035em] sm:text-4xl">Write to us</h1>
        <p className="mt-6 max-w-[44ch] text-read text-text">
          A question, a fault you found, a plan that does not fit: tell us. It reaches the person who runs this
          Postlark, and a person answers.
        </p>
        <dl className="mt-10 grid gap-6 text-md">
          <Way name="By e-mail">
            <a
              href={`mailto:${reach.email}`}
              className="font-medium text-accent-text underline underline-offset-3 hover:text-ink"
            >
              {reach.email}
            </a>
          </Way>
          {reach.phone && <Way name="By telephone">{reach.phone}</Way>}
          {reach.address && <Way name="By post">{reach.address}</Way>}
          <Way name="What happens with it">
            Your message is kept here and passed on to one mailbox. No list, no third party.
          </Way>
        </dl>
      </div>
      <div id="write" className="scroll-mt-24 rounded-dialog border bg-surface p-6 sm:p-8">
        <ContactForm
          word={loaderData.form}
          sent={query.has('sent')}
          problem={problem === null ? undefined : (problems[problem] ?? otherProblem)}
        />
      </div>
    </div>
  )
}

function Way({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 max-w-[44ch] whitespace-pre-line text-ink">{children}</dd>
    </div>
  )
}
