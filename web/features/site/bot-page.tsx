import type { Route } from './+types/bot-page.ts'
import { LinkInText } from './link-in-text.tsx'
import { PageIntro } from './page-intro.tsx'
import { pageMeta } from './page-meta.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Our robot · Postlark',
    description: 'What the robot of this Postlark reads, how it behaves, and how to keep it out of your site.',
    path: '/bot',
  })

const everything = 'User-agent: Postlark\nDisallow: /'
const part = 'User-agent: Postlark\nDisallow: /team/\nCrawl-delay: 10'

const manners = [
  'It asks robots.txt first (RFC 9309) and keeps to it. While robots.txt answers with an error of your server, nothing is read.',
  'At most two requests at once and five in a second, slower where you ask for it with Crawl-delay (up to a minute) or Retry-After.',
  'Pages that say noindex give it nothing, and links that say nofollow are not followed. X-Robots-Tag counts as well.',
  'Where a site says in words that its contacts must not be collected, nothing of it is kept.',
  'It runs no scripts, signs in nowhere, fills in no form, sends nobody a letter to try an address, and does not hide who it is.',
]

/** For owners of sites that our robot asks: who it is, and how to be left alone. Its address stands in its user agent. */
export default function BotPage() {
  return (
    <>
      <PageIntro title="Was our robot on your site?">
        Users of this Postlark name public web pages; the robot reads them and lists the e-mail addresses or telephone
        numbers on them, each with its page. Here is how it behaves, and how to keep it out.
      </PageIntro>
      <article className="mx-auto max-w-[74ch] px-5 py-16 text-read text-text sm:px-8 [&_h2]:mt-14 [&_h2]:text-xl [&_h2]:font-semibold [&_h2]:first:mt-0 [&_li]:mt-2 [&_p]:mt-4 [&_pre]:mt-4 [&_ul]:mt-4 [&_ul]:list-disc [&_ul]:pl-5">
        <h2>How you know it</h2>
        <p>
          Its user agent begins with <Code>Postlark/1.0</Code> and holds the address of this page. Whoever says
          something else is not it.
        </p>

        <h2>How it behaves</h2>
        <ul>
          {manners.map((manner) => (
            <li key={manner}>{manner}</li>
          ))}
        </ul>

        <h2>How to keep it out</h2>
        <p>
          With two lines in <Code>robots.txt</Code> at the root of your site:
        </p>
        <Block>{everything}</Block>
        <p>Or only out of a part, and slower:</p>
        <Block>{part}</Block>
        <p>
          Rules for all robots (<Code>User-agent: *</Code>) count too where there are none for Postlark. A changed
          robots.txt is noticed within a day.
        </p>

        <h2>What becomes of what it found</h2>
        <p>
          It stays in the workspace of the user who asked, with the page and the time. Mail goes only to contacts for
          whom that user recorded why he may write, and a number is never an agreement to messages on WhatsApp.
        </p>

        <h2>To be removed, or to complain</h2>
        <p>
          <LinkInText to="/contact">Write to us</LinkInText> with the address, the number or the name of your site. We
          remove it, and see to it that it is not written to. A person answers. What else is kept about people stands in
          the <LinkInText to="/privacy-policy">privacy policy</LinkInText>.
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
