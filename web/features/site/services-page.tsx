import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import type { Route } from './+types/services-page.ts'
import { Begin } from './begin.tsx'
import { PageIntro } from './page-intro.tsx'
import { pageMeta } from './page-meta.ts'
import { ServicePiece } from './service-pieces.tsx'
import { services } from './site-content.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Services · Postlark',
    description: 'Bulk email sending, lead collection, WhatsApp automation and a real-time analyst, in one place.',
    path: '/services',
    picture: 'services',
    data: {
      '@type': 'ItemList',
      itemListElement: services.map((service, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        item: { '@type': 'Service', name: service.name, description: service.description },
      })),
    },
  })

/** What each service does, in the words of somebody who would use it. */
const details: Record<(typeof services)[number]['id'], string[]> = {
  bulkMailer: [
    'HTML or MJML with personal fields, checked while you write',
    'Lists from CSV and XLSX, bad rows listed with their reason',
    'Sending limits for each sender, kept across restarts and days',
    'Unsubscribing by one click, as the large mailbox providers ask',
    'Reports that count people and machines apart',
  ],
  mailScraper: [
    'Reads the public pages you name, and stays on them',
    'Keeps robots.txt and waits between requests',
    'Finds hidden, encoded and spelled-out addresses',
    'Checks syntax, mail server, throw-away and role addresses',
    'Mail goes out only after you recorded why it may',
  ],
  whatsAppSender: [
    'The official Cloud API, with your own number',
    'Approved templates, synced and previewed',
    'Replies to keywords, a welcome, a word while you are away',
    'Conversations answered inside their 24-hour window',
    'Only numbers with a recorded opt-in',
  ],
  numberScraper: [
    'Numbers appear while the pages are read',
    'Checked against the numbering plan of their country',
    'Mobile, landline or unknown, as far as it can be told',
    'Each with the page and the moment it was found',
    'Exported as CSV or XLSX, or kept as a list',
  ],
}

export default function ServicesPage() {
  return (
    <>
      <PageIntro title="Four tools that know of each other">
        Find people, write to them, hear back, and see honestly what came of it. Use one tool or all four; they share
        your contacts, your suppressions and your plan.
      </PageIntro>
      {services.map(({ id, name, description }, index) => (
        <section key={id} id={id} className={cx('scroll-mt-16 border-b', index % 2 === 0 && 'bg-surface')}>
          <div className="mx-auto grid max-w-300 items-center gap-x-16 gap-y-10 px-5 py-20 sm:px-8 wide:grid-cols-2 wide:py-28">
            <div className={cx(index % 2 === 1 && 'wide:order-2')}>
              <h2 className="text-2xl font-semibold tracking-tight">{name}</h2>
              <p className="mt-4 max-w-[52ch] text-read text-text">{description}</p>
              <ul className="mt-6 grid gap-2.5 text-md text-text">
                {details[id].map((detail) => (
                  <li key={detail} className="flex gap-3">
                    <span aria-hidden="true" className="mt-2.5 h-0.5 w-3 shrink-0 rounded-full bg-accent" />
                    {detail}
                  </li>
                ))}
              </ul>
              <ButtonLink to={`/dashboard?service=${id}`} className="mt-8">
                Open {name}
              </ButtonLink>
            </div>
            <div aria-hidden="true" className="min-w-0 rounded-dialog border bg-sunken p-6 sm:p-10">
              <div className="h-48 overflow-hidden rounded-card border bg-raised text-sm shadow-float">
                <ServicePiece id={id} />
              </div>
            </div>
          </div>
        </section>
      ))}
      <Begin />
    </>
  )
}
