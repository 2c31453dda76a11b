import { Bot, Scale } from 'lucide-react'
import { Link } from 'react-router'
import type { Wording } from './kinds.ts'

const manners = [
  'Only public pages, and only on the sites you name.',
  'robots.txt is asked first and kept.',
  'At most five pages a second of a site, slower where the site asks for it.',
  'Sites that forbid collecting are left out, and you are told which.',
  'No scripts are run: what a page builds in the browser is not seen.',
]

/** What it does and does not do, and what the law has to say, before anybody begins. */
export function HowItReads({ wording }: { wording: Wording }) {
  return (
    <aside aria-label="Good to know" className="space-y-5 text-base text-text wide:pt-1">
      <section>
        <h2 className="flex items-center gap-2 text-base font-semibold">
          <Bot aria-hidden="true" className="size-4 text-muted" />
          How it reads
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
          It says who it is.{' '}
          <Link to="/bot" className="font-medium text-accent-text underline-offset-3 hover:underline">
            What site owners are told
          </Link>
        </p>
      </section>
      <section>
        <h2 className="flex items-center gap-2 text-base font-semibold">
          <Scale aria-hidden="true" className="size-4 text-muted" />
          Found does not mean allowed
        </h2>
        <p className="mt-2">
          {wording.kind === 'email'
            ? 'That an address is public does not mean that you may write to it. Much of the world asks for consent first, above all for persons. Before anything is sent we ask why you may, and tell each person where the address was found.'
            : 'That a number is public does not mean that you may call it or write to it. WhatsApp takes only people who agreed to hear from you, so a found number never enters a WhatsApp campaign by itself.'}
        </p>
      </section>
    </aside>
  )
}
