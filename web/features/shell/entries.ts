import {
  BadgePlus,
  ChartLine,
  LayoutDashboard,
  Mail,
  MailOpen,
  MessageCircle,
  MousePointerClick,
  ScanSearch,
  UserRound,
} from 'lucide-react'

export interface Entry {
  to: string
  label: string
  icon: typeof Mail
  /** Only for paid plans: free users see a lock and are led to /plan. */
  paid?: boolean
  /** The one entry with the gradient. */
  highlighted?: boolean
  /** Other addresses under this entry. */
  also?: string[]
}

/** The sidebar's entries in SPEC.md's order, in groups that follow it. */
export const groups: { label: string; entries: Entry[] }[] = [
  { label: 'Overview', entries: [{ to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard }] },
  {
    label: 'Send',
    entries: [
      {
        to: '/email-sender',
        label: 'Email Sender',
        icon: Mail,
        also: ['/mail-dash', '/contacts', '/my-templates', '/senders'],
      },
      { to: '/whatsapp-sender', label: 'WhatsApp Sender', icon: MessageCircle },
      { to: '/gmail-sender', label: 'Gmail Sender', icon: MailOpen, paid: true },
    ],
  },
  { label: 'Find', entries: [{ to: '/email-scraper', label: 'Email Scraper', icon: ScanSearch, paid: true }] },
  {
    label: 'Understand',
    entries: [
      { to: '/gmail-analytics', label: 'Gmail Open Rate', icon: ChartLine },
      { to: '/gmail-link', label: 'Gmail Click Rate', icon: MousePointerClick },
    ],
  },
  {
    label: 'Account',
    entries: [
      { to: '/account', label: 'Account', icon: UserRound },
      { to: '/plan', label: 'Subscription Plan', icon: BadgePlus, highlighted: true },
    ],
  },
]
