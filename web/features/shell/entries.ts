import { BadgePlus, LayoutDashboard, UserRound } from 'lucide-react'
import { type Tool, tools } from './tools.ts'

export interface NavEntry extends Pick<Tool, 'to' | 'label' | 'icon' | 'paid'> {
  /** The one entry with the gradient. */
  highlighted?: boolean
  /** Other addresses under this entry. */
  also?: string[]
}

/** The sidebar's entries in the order of docs/specification.md, 2, in groups that follow it. */
export const groups: { label: string; entries: NavEntry[] }[] = [
  { label: 'Overview', entries: [{ to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard }] },
  {
    label: 'Send',
    entries: [
      { ...tools.emailSender, also: ['/mail-dash', '/contacts', '/my-templates', '/senders'] },
      { ...tools.whatsAppSender, also: ['/whatsapp-dash'] },
      tools.gmailSender,
    ],
  },
  { label: 'Find', entries: [{ ...tools.emailScraper, also: ['/number-scraper'] }] },
  { label: 'Analyze', entries: [tools.gmailOpenRate, tools.gmailClickRate] },
  {
    label: 'Account',
    entries: [
      { to: '/account', label: 'Account', icon: UserRound },
      { to: '/plan', label: 'Subscription Plan', icon: BadgePlus, highlighted: true },
    ],
  },
]
