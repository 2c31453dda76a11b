import { ButtonLink } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { Begin } from '../landing/begin.tsx'
import { ServicePiece } from '../landing/service-pieces.tsx'
import { PageIntro } from '../layout/page-intro.tsx'
import { pageMeta } from '../layout/page-meta.ts'
import { services } from '../layout/site-content.ts'
import type { Route } from './+types/services-page.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Services · Postlark',
    description: 'Bulk email sending, lead collection, WhatsApp automation and a real-time analyst, in one place.',
    path: '/services',
    image: 'services',
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
    'HTML or MJML with merge fields, checked while you edit',
    'Lists from CSV and XLSX, with a reason for every skipped row',
    'Sending limits for each sender, across restarts and days',
    'One-click unsubscribe, as large mailbox providers require',
    'Reports that count people and bots separately',
  ],
  mailScraper: [
    'Reads only the public pages you choose',
    'Follows robots.txt and waits between requests',
    'Finds hidden, encoded and spelled-out addresses',
    'Checks syntax, mail server, disposable and role addresses',
    'Sends only after you record your lawful basis',
  ],
  whatsAppSender: [
    'The official Cloud API with your own number',
    'Approved templates, synced and previewed',
    'Keyword replies, welcome and away messages',
    'Conversations within the 24-hour window',
    'Only numbers with recorded consent',
  ],
  numberScraper: [
    'Numbers appear while pages are read',
    'Validated against the numbering plan of their country',
    'Mobile, landline or unknown',
    'The source page and time of every number',
    'Export as CSV or XLSX, or save as a list',
  ],
}

export default function ServicesPage() {
  return (
    <>
      <PageIntro title="Four tools that work together">
        Find people, contact them, get replies, and see honest results. Use one tool or all four. They share your
        contacts, suppressions and plan.
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
