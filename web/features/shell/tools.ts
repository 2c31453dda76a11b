import { ChartLine, Mail, MailOpen, MessageCircle, MousePointerClick, Phone, ScanSearch } from 'lucide-react'

export interface Tool {
  to: string
  label: string
  icon: typeof Mail
  /** What it does, in one sentence. */
  does: string
  /** The service of the landing page that leads here; the ids are part of SPEC.md. */
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
    does: 'Write to a list, check it, send it now or later, and see what became of every message.',
    service: 'bulkMailer',
  },
  whatsAppSender: {
    to: '/whatsapp-sender',
    label: 'WhatsApp Sender',
    icon: MessageCircle,
    does: 'Send approved templates to people who agreed to hear from you, and keep their answers in one place.',
    service: 'whatsAppSender',
  },
  gmailSender: {
    to: '/gmail-sender',
    label: 'Gmail Sender',
    icon: MailOpen,
    does: 'Send campaigns from your own Gmail address, within the limits Google sets.',
    paid: true,
  },
  emailScraper: {
    to: '/email-scraper',
    label: 'Email Scraper',
    icon: ScanSearch,
    does: 'Read public web pages you name, politely, and list the addresses with the page each was found on.',
    service: 'mailScraper',
    paid: true,
  },
  numberScraper: {
    to: '/number-scraper',
    label: 'Number Scraper',
    icon: Phone,
    does: 'Watch the phone numbers of public web pages you name come in while they are read, with country, type and page.',
    service: 'numberScraper',
    paid: true,
  },
  gmailOpenRate: {
    to: '/gmail-analytics',
    label: 'Gmail Open Rate',
    icon: ChartLine,
    does: 'See how many people opened what you sent through Gmail, with machine opens counted apart.',
  },
  gmailClickRate: {
    to: '/gmail-link',
    label: 'Gmail Click Rate',
    icon: MousePointerClick,
    does: 'See which links in your Gmail campaigns were clicked, by people and by machines apart.',
  },
} satisfies Record<string, Tool>
