import { Bot, Scale } from 'lucide-react'
import { Link } from 'react-router'
import type { Wording } from '../kinds.ts'

const manners = [
  'Only public pages on the sites you enter are read.',
  'Each site’s robots.txt is checked first and followed.',
  'At most five pages per second per site, slower where the site asks for it.',
  'Sites that don’t allow collecting contacts are skipped and listed.',
  'Scripts are not run, so content built in the browser is not found.',
]

/** What it does and does not do, and what the law has to say, before anybody begins. */
export function HowScrapingWorks({ wording }: { wording: Wording }) {
  return (
    <aside aria-label="How scraping works" className="space-y-5 text-base text-text wide:pt-1">
      <section>
        <h2 className="flex items-center gap-2 text-base font-semibold">
          <Bot aria-hidden="true" className="size-4 text-muted" />
          How scraping works
        </h2>
        <ul className="mt-2 space-y-1.5">
          {manners.map((manner) => (
            <li key={manner} className="flex gap-2.5">
              <span aria-hidden="true" className="mt-2.5 h-px w-2.5 shrink-0 bg-control" />
              {manner}
            </li>
          ))}
        </ul>
        <p className="mt-2">
          The crawler identifies itself.{' '}
          <Link to="/bot" className="font-medium text-accent-text underline-offset-3 hover:underline">
            Information for site owners
          </Link>
        </p>
      </section>
      <section>
        <h2 className="flex items-center gap-2 text-base font-semibold">
          <Scale aria-hidden="true" className="size-4 text-muted" />
          Public doesn’t mean opted in
        </h2>
        <p className="mt-2">
          {wording.kind === 'email'
            ? 'A public address does not mean that you may email it. Many countries require consent first, above all for individuals. Before you send, we ask for your lawful basis and tell each person where their address was found.'
            : 'A public number does not mean that you may call or message it. WhatsApp only allows messages to people who gave consent, so WhatsApp campaigns never include a number just because it was found.'}
        </p>
      </section>
    </aside>
  )
}
