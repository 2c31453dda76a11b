import { LinkInText } from '../layout/link-in-text.tsx'
import { PageIntro } from '../layout/page-intro.tsx'
import { pageMeta } from '../layout/page-meta.ts'
import { siteFacts } from '../layout/site-content.ts'
import type { Route } from './+types/privacy-policy-page.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Privacy Policy · Postlark',
    description: 'What Postlark stores about visitors, users and recipients, for how long, and what it never does.',
    path: '/privacy-policy',
  })

const CLEARED = 'until you clear your browser’s data'

/** What the browser stores: every key that web/ passes to localStorage and sessionStorage. */
const stored = [
  { key: 'userConsent', what: 'Your privacy choice on the landing page.', until: CLEARED },
  { key: 'theme', what: 'Light or dark, if you chose one.', until: 'until you choose “System”' },
  {
    key: 'editorDraft',
    what: 'Your changes to a starter template, before you had an account.',
    until: 'until you save or discard them; not used after a week',
  },
  {
    key: 'wantedPage',
    what: 'The template you asked for before you had an account.',
    until: 'until you open it; not used after a day',
  },
  { key: 'token', what: 'Your session, after you log in.', until: 'until you log out; seven days at most' },
  {
    key: 'user',
    what: 'Your account details, such as name, email address and plan, so that pages don’t have to request them.',
    until: 'until you log out',
  },
  {
    key: 'wantedTool',
    what: 'The paid tool you opened before you chose a plan.',
    until: 'until you have paid or close the tab',
  },
  { key: 'recentCommands', what: 'The last five pages you opened from the command palette.', until: CLEARED },
  { key: 'collapsedGroups', what: 'The groups of the sidebar that you collapsed.', until: CLEARED },
  { key: 'contacts.columns', what: 'The columns you chose for the table of contacts.', until: CLEARED },
  { key: 'scrapingRules', what: 'Whether the rules of scraping are shown.', until: CLEARED },
  { key: 'wizard-seen:{id}', what: 'The steps of a campaign draft that you opened.', until: CLEARED },
  {
    key: 'postlark.post.{id}',
    what: 'For admins: the unsaved text of a blog post.',
    until: 'until you save or discard it',
  },
]

export default function PrivacyPolicyPage() {
  return (
    <>
      <PageIntro title="Privacy Policy">
        What is stored, why, and for how long. This policy describes what the software does. If you find a difference,
        please tell us: it is a bug.
      </PageIntro>
      <article className="mx-auto max-w-[74ch] px-5 py-16 text-read text-text sm:px-8 [&_h2]:mt-14 [&_h2]:text-xl [&_h2]:font-semibold [&_h2]:first:mt-0 [&_li]:mt-2 [&_p]:mt-4 [&_ul]:mt-4 [&_ul]:list-disc [&_ul]:pl-5">
        <h2>Who is responsible</h2>
        <p>
          The operator of this Postlark server. Contact them at{' '}
          <a href={`mailto:${siteFacts.contact.email}`} className="text-accent-text underline underline-offset-3">
            {siteFacts.contact.email}
          </a>{' '}
          or through the <LinkInText to="/contact">contact page</LinkInText>.
        </p>

        <h2>Visitors</h2>
        <p>
          These pages use no cookies, no visitor tracking and no advertising, and load nothing from third parties. The
          server logs the path, time and result of each request, without your address and without query strings.
        </p>
        <p>
          To prevent abuse, the server counts requests by address in memory, for an hour at most. It also counts in its
          database: the use of forms and preference pages for an hour, under a hash of your address, and failed logins
          for 15 minutes, under the address itself. Counters are deleted within an hour after they expire.
        </p>
        <p>Your browser stores, for itself only:</p>
        <div className="mt-4 overflow-x-auto">
          <table className="w-full text-base">
            <caption className="sr-only">Data stored in your browser</caption>
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

        <h2>Contact form</h2>
        <p>
          The name, email address and message you enter are stored in this server’s database for 400 days and sent to
          one mailbox. The copy in the mailbox stays until the operator deletes it.
        </p>

        <h2>Subscriptions and preferences</h2>
        <p>
          You can subscribe to this site’s blog, and through sign-up forms to emails from users of this server, who get
          what you enter. The blog, and forms by default, use your email address only after you confirmed it. Every
          campaign email has an unsubscribe link.
        </p>
        <p>
          As evidence of your consent, the server stores what you agreed to, when you subscribed and when you confirmed,
          each with your whole network address and your browser’s user agent. Changes you make on your preference page
          are stored in the same way. The evidence is deleted with your contact. Subscriptions that are not confirmed
          are deleted within about two months.
        </p>

        <h2>Users</h2>
        <ul>
          <li>Your name, email address and a hash of your password (Argon2). The password itself is never stored.</li>
          <li>
            Your sessions, with the name of the browser and the times they started and were last used. A session lasts
            at most seven days.
          </li>
          <li>
            The data you add: contacts, lists, templates, senders, campaigns. Mail server credentials are encrypted
            (AES-256-GCM) and never shown again.
          </li>
          <li>Links to confirm an address or reset a password work once and are stored only as hashes.</li>
        </ul>
        <p>
          Only you can see the contents of your workspace in Postlark; administrators of this server can’t. On your
          account page, you can download everything, end all sessions, and delete your account with all its data. If you
          log in with Google, Google gives us only your name and address. Three cookies exist for ten minutes at most:
          one while you log in with Google, one while you connect a Gmail account, one while you download your data.
        </p>
        <p>
          An audit log lists security-relevant actions for 400 days: logins, failed logins, changes to accounts, senders
          and domains, and what administrators do. Entries contain the user’s email address and network, shortened (IPv4
          to /24, IPv6 to /48). When you delete your account, your email address is removed from them.
        </p>

        <h2>Recipients of campaigns</h2>
        <p>
          The sender of a campaign decides what is sent and whether opens and clicks are tracked. If they are, emails
          contain a small image and links pass through this server. For each event, we store:
        </p>
        <ul>
          <li>which message and which link, and when;</li>
          <li>the network it came from, shortened (IPv4 to /24, IPv6 to /48), not the whole address;</li>
          <li>the user agent of the email app, and whether it was a person or a bot.</li>
        </ul>
        <p>
          Events are stored as long as the campaign. Unsubscribing takes one click and applies immediately to every
          campaign of that sender. The address then stays on a suppression list so it is not contacted again.
        </p>

        <h2>People found on public pages</h2>
        <p>
          The scrapers read public pages that users enter, follow robots.txt, and store addresses and numbers with their
          source page; <LinkInText to="/bot">see how the crawler behaves</LinkInText>. If you find yourself in this data
          and don’t want to be, contact us or unsubscribe from the first email.
        </p>

        <h2>Who else sees data</h2>
        <p>
          By default, no one: there are no processors, no analytics and no external fonts or scripts. Services that the
          operator or a user connects, such as a mail server, Gmail, WhatsApp or a payment provider, only get the data
          they need.
        </p>

        <h2>Your rights</h2>
        <p>
          You can ask what is stored about you, have it corrected or deleted, object to its use, and take it with you.
          You can complain to your data protection authority. A short message is enough, and a person will reply.
        </p>
      </article>
    </>
  )
}
