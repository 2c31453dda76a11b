import type { Route } from './+types/about-page.ts'
import { Begin } from './begin.tsx'
import { LinkInText } from './link-in-text.tsx'
import { PageIntro } from './page-intro.tsx'
import { pageMeta } from './page-meta.ts'
import { siteFacts } from './site-content.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'About Us · Postlark',
    description: 'Why Postlark exists, how it counts, and what it will never do.',
    path: '/about',
    picture: 'about',
    data: { '@type': 'AboutPage', name: 'About Postlark', description: siteFacts.mission },
  })

const promises = [
  {
    title: 'Unknown is written “unknown”',
    text: 'Mail programs hide a lot. Where nobody can know, we say so, and we never fill the gap with a guess that flatters.',
  },
  {
    title: 'Machines are not readers',
    text: 'Security scanners open letters and follow every link. They are counted too, beside your readers and never among them.',
  },
  {
    title: 'One letter, once',
    text: 'A server may go down in the middle of a campaign. Every message then still has exactly one state, and none goes out twice.',
  },
  {
    title: 'A no is a no',
    text: 'Who unsubscribes is suppressed before the page has answered, for every campaign, with one press and no questions.',
  },
  {
    title: 'Only what is public, only politely',
    text: 'Leads come from pages you name. Their rules for robots are kept, and every finding keeps the page it was found on.',
  },
  {
    title: 'Limits are said before they are hit',
    text: 'What a plan allows, what a mail server takes, what a campaign would cost your name: you hear it before, not after.',
  },
]

export default function AboutPage() {
  return (
    <>
      <PageIntro title="Mail is a promise. We help you keep it.">{siteFacts.mission}</PageIntro>
      <section className="bg-surface">
        <div className="mx-auto grid max-w-300 gap-x-16 gap-y-10 px-5 py-20 sm:px-8 wide:grid-cols-[1fr_1.6fr] wide:py-28">
          <h2 className="text-2xl font-semibold tracking-tight">Why we made it</h2>
          <div className="max-w-[64ch] space-y-5 text-read text-text">
            <p>
              Most tools for outreach are made to send more. The people on the other side can tell: they get letters
              that were not meant for them, and they stop opening any.
            </p>
            <p>
              Postlark is made to send better. It knows what a mail server will take and does not press harder. It
              checks a campaign before it leaves. And when it tells you that 1,204 people opened your letter, it means
              people.
            </p>
            <p>
              It runs on your own machine as well as on ours. Without a mail server it keeps every letter in a sandbox,
              so you can try everything before a single one goes out.
            </p>
          </div>
        </div>
      </section>
      <section className="border-t">
        <div className="mx-auto max-w-300 px-5 py-20 sm:px-8 wide:py-28">
          <h2 className="text-2xl font-semibold tracking-tight">What you can hold us to</h2>
          <ul className="mt-10 grid gap-x-12 gap-y-10 sm:grid-cols-2 wide:grid-cols-3">
            {promises.map((promise) => (
              <li key={promise.title} className="border-t-2 border-accent pt-4">
                <h3 className="text-md font-semibold">{promise.title}</h3>
                <p className="mt-2 text-md text-text">{promise.text}</p>
              </li>
            ))}
          </ul>
          <p className="mt-14 text-md text-muted">
            Something is missing, or not as we say? <LinkInText to="/contact">Write to us</LinkInText>; a person
            answers.
          </p>
        </div>
      </section>
      <Begin />
    </>
  )
}
