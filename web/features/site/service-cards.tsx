import { ArrowRight, AtSign, MessageCircle, Phone, Send } from 'lucide-react'
import { Link } from 'react-router'

/** The four services; the ids are part of SPEC.md. */
const services = [
  {
    id: 'bulkMailer',
    name: 'Bulk email sending',
    description:
      'Personal mail to your whole list, at the pace receivers accept, with every answer of every server kept.',
    icon: Send,
  },
  {
    id: 'mailScraper',
    name: 'Lead collection',
    description: 'Reads the public pages you name, politely, and lists the addresses with the page each was found on.',
    icon: AtSign,
  },
  {
    id: 'whatsAppSender',
    name: 'WhatsApp automation',
    description: 'Approved templates to people who agreed to them, and answers to what they write back.',
    icon: MessageCircle,
  },
  {
    id: 'numberScraper',
    name: 'Real-time analyst',
    description: 'Phone numbers from public pages while they are read: checked, with country and source.',
    icon: Phone,
  },
]

export function ServiceCards() {
  return (
    <section className="border-y bg-surface">
      <div className="mx-auto max-w-300 px-5 py-24 sm:px-8">
        <h2 className="text-2xl font-semibold tracking-tight">Four tools, one place</h2>
        <ul className="mt-10 grid gap-4 sm:grid-cols-2">
          {services.map(({ id, name, description, icon: Icon }) => (
            <li key={id}>
              <Link
                to={`/dashboard?service=${id}`}
                className="group flex h-full gap-5 rounded-dialog border bg-page p-6 transition-colors hover:border-accent-line hover:bg-accent-soft"
              >
                <Icon aria-hidden="true" strokeWidth={1.7} className="mt-0.5 size-6 shrink-0 text-accent-text" />
                <span className="min-w-0">
                  <h3 className="flex items-center gap-2 text-md font-semibold">
                    {name}
                    <ArrowRight
                      aria-hidden="true"
                      className="size-4 -translate-x-1 text-accent-text opacity-0 transition group-hover:translate-x-0 group-hover:opacity-100"
                    />
                  </h3>
                  <span className="mt-1.5 block text-md text-text">{description}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
