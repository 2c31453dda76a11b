import type { Route } from './+types/privacy-policy-page.ts'
import { LinkInText } from './link-in-text.tsx'
import { PageIntro } from './page-intro.tsx'
import { pageMeta } from './page-meta.ts'
import { siteFacts } from './site-content.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Privacy Policy · Postlark',
    description: 'What Postlark keeps about visitors, users and recipients, for how long, and what it never does.',
    path: '/privacy-policy',
  })

/** What the browser keeps; the keys are those of web/session.ts, web/ui/theme.ts, web/wanted-page.ts and contracts/site.ts. */
const stored = [
  { key: 'userConsent', what: 'Your answer to the question on the landing page.', until: 'until you clear it' },
  { key: 'theme', what: 'Light or dark, if you chose one.', until: 'until you choose “like the system”' },
  { key: 'token', what: 'Your session, once you sign in.', until: 'until you log out; seven days at most' },
  {
    key: 'user',
    what: 'Your name and plan beside it, so that pages need not ask for them.',
    until: 'until you log out',
  },
  { key: 'wantedPage', what: 'The template you asked for before you had an account.', until: 'one day at most' },
]

export default function PrivacyPolicyPage() {
  return (
    <>
      <PageIntro title="Privacy Policy">
        What is kept, why, and for how long. Written after the program and not the other way round: where the two
        disagree, it is a fault, and we want to hear of it.
      </PageIntro>
      <article className="mx-auto max-w-[74ch] px-5 py-16 text-read text-text sm:px-8 [&_h2]:mt-14 [&_h2]:text-xl [&_h2]:font-semibold [&_h2]:first:mt-0 [&_li]:mt-2 [&_p]:mt-4 [&_ul]:mt-4 [&_ul]:list-disc [&_ul]:pl-5">
        <h2>Who is responsible</h2>
        <p>
          Whoever runs this installation of Postlark. You reach them at{' '}
          <a href={`mailto:${siteFacts.contact.email}`} className="text-accent-text underline underline-offset-3">
            {siteFacts.contact.email}
          </a>{' '}
          or over the <LinkInText to="/contact">contact page</LinkInText>.
        </p>

        <h2>Visitors of these pages</h2>
        <p>
          No cookies on these pages, no counting of visitors, no advertising, and nothing is loaded from a third party.
          The server logs the path, the time and the result of a request, without your address and without what stands
          after a question mark. To hold back floods it counts requests by address in memory for a quarter of an hour.
        </p>
        <p>Your browser keeps, only for itself:</p>
        <div className="mt-4 overflow-x-auto">
          <table className="w-full text-base">
            <caption className="sr-only">What the browser keeps</caption>
            <thead>
              <tr className="border-b text-left text-sm text-muted">
                <th scope="col" className="py-2 pr-4 font-medium">
                  Key
                </th>
                <th scope="col" className="py-2 pr-4 font-medium">
                  What
                </th>
                <th scope="col" className="py-2 font-medium">
                  Until
                </th>
              </tr>
            </thead>
            <tbody>
              {stored.map((row) => (
                <tr key={row.key} className="border-b align-top">
                  <th scope="row" className="py-2.5 pr-4 text-left font-mono text-sm font-normal text-ink">
                    {row.key}
                  </th>
                  <td className="py-2.5 pr-4">{row.what}</td>
                  <td className="py-2.5">{row.until}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>

        <h2>Who writes to us</h2>
        <p>
          Name, address and message of the contact form are kept in the database of this installation and sent to one
          mailbox, until they are deleted by hand. To stop floods, a scrambled form of your network address is kept
          beside them for an hour.
        </p>

        <p>
          Readers of the blog who ask for letters about new posts leave their e-mail address; it is written to only
          after they confirmed it, and every letter has a way out.
        </p>

        <h2>Users</h2>
        <ul>
          <li>Name, e-mail address and a hash of the password (Argon2); the password itself is never stored.</li>
          <li>
            Sessions with the name of the browser and the times they began and were last seen. A session lasts at most
            seven days.
          </li>
          <li>
            What you put in: contacts, lists, templates, senders, campaigns. Credentials of mail servers are encrypted
            (AES-256-GCM) and never shown again.
          </li>
          <li>Links for confirming and for a new password work once and are stored only as hashes.</li>
        </ul>
        <p>
          Nobody but you sees the contents of your workspace in the interface; admins of the installation do not either.
          On your account page you can download everything, end every session, and delete the account with all that is
          in it. Signing in with Google, where it is offered, gives us your name and address from there and nothing
          else. Two cookies exist for minutes only: one while you sign in with Google, one while you download
          everything; admins’ deeds stand in a log kept for 400 days.
        </p>

        <h2>Recipients of campaigns</h2>
        <p>
          The sender of a campaign decides what is sent and whether opens and clicks are counted. Where they are, a
          letter holds a small picture and its links pass through this server. For each event we keep:
        </p>
        <ul>
          <li>which message and which link, and when;</li>
          <li>the network it came from, cut short (IPv4 to /24, IPv6 to /48), never the whole address;</li>
          <li>what the mail program says of itself, and from it whether a person or a machine was there.</li>
        </ul>
        <p>
          Events are kept as long as the campaign. Unsubscribing takes one press, counts at once and for every campaign
          of that sender; the address then stays on a list of people not to write to, so that the no is remembered.
        </p>

        <h2>People found on public pages</h2>
        <p>
          The collectors read public pages their user names, keep robots.txt, and store addresses and numbers with the
          page they were found on; <LinkInText to="/bot">this is how the robot behaves</LinkInText>. If you find
          yourself among them and do not want to be, write to us or unsubscribe from the first letter.
        </p>

        <h2>Who else sees data</h2>
        <p>
          By default nobody: there are no processors, no analytics and no outside fonts or scripts. Services that the
          operator or a user connects, such as a mail server, Gmail, WhatsApp or a payment provider, get what is needed
          to do their part and nothing else.
        </p>

        <h2>Your rights</h2>
        <p>
          You may ask what is kept about you, have it corrected or deleted, object to it, and take it with you. You may
          complain to the data protection authority where you live. A short letter is enough; a person answers.
        </p>
      </article>
    </>
  )
}
