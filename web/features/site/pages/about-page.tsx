import { Begin } from '../landing/begin.tsx'
import { LinkInText } from '../layout/link-in-text.tsx'
import { PageIntro } from '../layout/page-intro.tsx'
import { pageMeta } from '../layout/page-meta.ts'
import { siteFacts } from '../layout/site-content.ts'
import type { Route } from './+types/about-page.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'About Us · Postlark',
    description: 'Why Postlark exists, how it measures, and what you can rely on.',
    path: '/about',
    image: 'about',
    data: { '@type': 'AboutPage', name: 'About Postlark', description: siteFacts.mission },
  })

const promises = [
  {
    title: 'Unknown means unknown',
    text: 'Email apps hide a lot. If something can’t be known, we say so instead of showing a flattering guess.',
  },
  {
    title: 'Bots are not recipients',
    text: 'Security scanners open emails and follow every link. They are counted too, but separately from your recipients.',
  },
  {
    title: 'No duplicates',
    text: 'A server can go down in the middle of a campaign. Every message still has exactly one status, and none is sent twice.',
  },
  {
    title: 'Unsubscribes are immediate',
    text: 'One click suppresses a person immediately, for every campaign, with no questions asked.',
  },
  {
    title: 'Public pages only',
    text: 'Leads come from pages you choose. Postlark follows their rules for robots and saves the source page of every result.',
  },
  {
    title: 'Limits are visible',
    text: 'You see the limits of your plan and your mail server, and the risks to your sender reputation, before you send.',
  },
]

export default function AboutPage() {
  return (
    <>
      <PageIntro title="Email is a promise. We help you keep it.">{siteFacts.mission}</PageIntro>
      <section className="bg-surface">
        <div className="mx-auto grid max-w-300 gap-x-16 gap-y-10 px-5 py-20 sm:px-8 wide:grid-cols-[1fr_1.6fr] wide:py-28">
          <h2 className="text-2xl font-semibold tracking-tight">Why we built Postlark</h2>
          <div className="max-w-[64ch] space-y-5 text-read text-text">
            <p>
              Most outreach tools are built to send more. Recipients notice: they get emails that are not relevant to
              them, and they stop opening any.
            </p>
            <p>
              Postlark is built to send better. It stays within the limits of your mail server. It checks a campaign
              before it is sent. And when it reports that 1,204 people opened your email, it means people.
            </p>
            <p>
              It runs on your own server as well as on ours. Without a mail server, it collects every email in a
              sandbox, so you can try everything before you send a real one.
            </p>
          </div>
        </div>
      </section>
      <section className="border-t">
        <div className="mx-auto max-w-300 px-5 py-20 sm:px-8 wide:py-28">
          <h2 className="text-2xl font-semibold tracking-tight">What you can expect from us</h2>
          <ul className="mt-10 grid gap-x-12 gap-y-10 sm:grid-cols-2 wide:grid-cols-3">
            {promises.map((promise) => (
              <li key={promise.title} className="border-t-2 border-accent pt-4">
                <h3 className="text-md font-semibold">{promise.title}</h3>
                <p className="mt-2 text-md text-text">{promise.text}</p>
              </li>
            ))}
          </ul>
          <p className="mt-14 text-md text-muted">
            Is something missing or incorrect? <LinkInText to="/contact">Contact us</LinkInText>, and a person will
            reply.
          </p>
        </div>
      </section>
      <Begin />
    </>
  )
}
