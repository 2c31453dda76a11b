import { ChartLine, Mail, MailOpen, MessageCircle, MousePointerClick, Phone, ScanSearch } from 'lucide-react'

export interface Tool {
  to: string
  label: string
  icon: typeof Mail
  /** What it does, in one sentence. */
  does: string
  /** The service of the landing page that leads here; the ids are fixed (docs/specification.md, 1). */
  service?: 'bulkMailer' | 'mailScraper' | 'whatsAppSender' | 'numberScraper'
  /** Only for paid plans: free users see a lock and are led to /plan. */
  paid?: boolean
}

/** Every tool. The sidebar's entries and the dashboard's cards are made of it. */
export const tools = {
  emailSender: {
    to: '/email-sender',
    label: 'Email Sender',
    icon: Mail,
    does: 'Send campaigns to your lists, now or later, and see the result of every email.',
    service: 'bulkMailer',
  },
  whatsAppSender: {
    to: '/whatsapp-sender',
    label: 'WhatsApp Sender',
    icon: MessageCircle,
    does: 'Send approved templates to people who gave consent, and manage replies in one inbox.',
    service: 'whatsAppSender',
  },
  gmailSender: {
    to: '/gmail-sender',
    label: 'Gmail Sender',
    icon: MailOpen,
    does: 'Send campaigns from your own Gmail address, within Google’s limits.',
    paid: true,
  },
  emailScraper: {
    to: '/email-scraper',
    label: 'Email Scraper',
    icon: ScanSearch,
    does: 'Find email addresses on public web pages, with the source page of each.',
    service: 'mailScraper',
    paid: true,
  },
  numberScraper: {
    to: '/number-scraper',
    label: 'Number Scraper',
    icon: Phone,
    does: 'Find phone numbers on public web pages in real time, with country, type and source page.',
    service: 'numberScraper',
    paid: true,
  },
  gmailOpenRate: {
    to: '/gmail-analytics',
    label: 'Gmail Open Rate',
    icon: ChartLine,
    does: 'See how many people opened your Gmail emails. Machine opens are counted separately.',
  },
  gmailClickRate: {
    to: '/gmail-link',
    label: 'Gmail Click Rate',
    icon: MousePointerClick,
    does: 'See which links in your Gmail campaigns people clicked. Machine clicks are counted separately.',
  },
} satisfies Record<string, Tool>
