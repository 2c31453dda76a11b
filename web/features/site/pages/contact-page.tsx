import { useSearchParams } from 'react-router'
import { contact } from '#contracts/site/contact-form.ts'
import { apiContext } from '#web/page-context.ts'
import { pageMeta } from '../layout/page-meta.ts'
import { siteFacts } from '../layout/site-content.ts'
import type { Route } from './+types/contact-page.ts'
import { ContactForm } from './contact-form.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Contact Us · Postlark',
    description: 'Contact the people who run this Postlark server. A person replies by email.',
    path: '/contact',
    image: 'contact',
    data: { '@type': 'ContactPage', name: 'Contact Postlark' },
  })

/** The form's signed word, so that it works without scripts too. */
export const loader = ({ context }: Route.LoaderArgs) => context.get(apiContext)(contact.form)

/** What became of a form that was sent without scripts, by the address it led back to. */
const problems: Record<string, string> = {
  name: 'Your message was not sent: the name is missing or contains a line break.',
  email: 'Your message was not sent: the email address is not valid.',
  message: 'Your message was not sent: it must have 10 to 5,000 characters.',
  often:
    'Your message was not sent: too many messages were sent from your connection in the last hour. Wait a while and send it again.',
  twice: 'This message was already sent. We have received it.',
}
const otherProblem = 'Your message was not sent: the form was open for too long or too short a time. Send it again.'

export default function ContactPage({ loaderData }: Route.ComponentProps) {
  const [query] = useSearchParams()
  const problem = query.get('problem')
  const { contact: reach } = siteFacts
  return (
    <div className="mx-auto grid max-w-300 gap-x-20 gap-y-12 px-5 pt-16 pb-24 sm:px-8 wide:grid-cols-[1fr_1.15fr] wide:pt-24">
      <div>
        <h1 className="text-3xl font-[680] tracking-[-0.035em] sm:text-4xl">Contact us</h1>
        <p className="mt-6 max-w-[44ch] text-read text-text">
          Ask a question, report a problem, or tell us about a plan you need. Your message goes to the person who runs
          this Postlark server, and a person replies.
        </p>
        <dl className="mt-10 grid gap-6 text-md">
          <Way name="Email">
            <a
              href={`mailto:${reach.email}`}
              className="font-medium text-accent-text underline underline-offset-3 hover:text-ink"
            >
              {reach.email}
            </a>
          </Way>
          {reach.phone && <Way name="Phone">{reach.phone}</Way>}
          {reach.address && <Way name="Mail">{reach.address}</Way>}
          <Way name="Privacy">
            Your message is stored here and sent to one mailbox. It is not added to a list or shared with third parties.
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
