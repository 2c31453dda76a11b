import { LinkInText } from '../layout/link-in-text.tsx'
import { PageIntro } from '../layout/page-intro.tsx'
import { pageMeta } from '../layout/page-meta.ts'
import type { Route } from './+types/bot-page.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Our crawler · Postlark',
    description: 'What the Postlark crawler reads, how it behaves, and how to block it.',
    path: '/bot',
  })

const everything = 'User-agent: Postlark\nDisallow: /'
const part = 'User-agent: Postlark\nDisallow: /team/\nCrawl-delay: 10'

const manners = [
  'It checks robots.txt first (RFC 9309) and follows it. If your server returns an error for robots.txt, nothing is read.',
  'It makes at most two requests at once and five per second, or fewer if you set Crawl-delay (up to a minute) or Retry-After.',
  'It takes nothing from noindex pages and does not follow nofollow links. X-Robots-Tag is respected as well.',
  'If a site states that its contacts must not be collected, nothing from it is saved.',
  'It does not run scripts, log in, fill in forms, send test emails or hide its identity.',
]

/** For owners of sites that our robot asks: who it is, and how to be left alone. Its address stands in its user agent. */
export default function BotPage() {
  return (
    <>
      <PageIntro title="Did our crawler visit your site?">
        Users of this Postlark server enter public web pages. The crawler reads them and lists the email addresses or
        phone numbers on them, with the source page of each. This page explains how it behaves and how to block it.
      </PageIntro>
      <article className="mx-auto max-w-[74ch] px-5 py-16 text-read text-text sm:px-8 [&_h2]:mt-14 [&_h2]:text-xl [&_h2]:font-semibold [&_h2]:first:mt-0 [&_li]:mt-2 [&_p]:mt-4 [&_pre]:mt-4 [&_ul]:mt-4 [&_ul]:list-disc [&_ul]:pl-5">
        <h2>How to identify it</h2>
        <p>
          Its user agent starts with <Code>Postlark/1.0</Code> and contains the URL of this page. Any other user agent
          is not ours.
        </p>

        <h2>How it behaves</h2>
        <ul>
          {manners.map((manner) => (
            <li key={manner}>{manner}</li>
          ))}
        </ul>

        <h2>How to block it</h2>
        <p>
          Add two lines to <Code>robots.txt</Code> at the root of your site:
        </p>
        <Block>{everything}</Block>
        <p>To block only part of your site, or slow the crawler down:</p>
        <Block>{part}</Block>
        <p>
          Rules for all robots (<Code>User-agent: *</Code>) apply if there are none for Postlark. Changes to robots.txt
          take effect within a day.
        </p>

        <h2>Link checks</h2>
        <p>
          Before a campaign is sent, Postlark checks the links in its email. These requests have the same user agent.
          They use HEAD, or GET if that fails, follow up to three redirects, and do not read the page. They do not check
          robots.txt, because a person chose the link. At most eight run at once for one workspace, and 32 in all. If
          your server rejects them with status 403, the link is shown as not checked, not as broken.
        </p>

        <h2>What happens to the results</h2>
        <p>
          They are stored in the workspace of the user who asked, with the source page and time. Users can only email
          contacts after recording their lawful basis. A phone number is never consent to WhatsApp messages.
        </p>

        <h2>Removal and complaints</h2>
        <p>
          <LinkInText to="/contact">Contact us</LinkInText> with the address, the number or the name of your site. We
          will remove it and make sure it is not contacted. A person will reply. For other data we store about people,
          see the <LinkInText to="/privacy-policy">privacy policy</LinkInText>.
        </p>
      </article>
    </>
  )
}

function Code({ children }: { children: React.ReactNode }) {
  return <code className="rounded-[3px] bg-sunken px-1 py-0.5 font-mono text-[0.9em] text-ink">{children}</code>
}

function Block({ children }: { children: React.ReactNode }) {
  return (
    <pre className="rounded-card border bg-sunken p-4 font-mono text-base whitespace-pre-wrap text-ink">{children}</pre>
  )
}
