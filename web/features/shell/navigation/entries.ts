import {
  BadgePlus,
  ClipboardList,
  ContactRound,
  Filter,
  FlaskConical,
  Inbox,
  LayoutDashboard,
  LayoutTemplate,
  List,
  Palette,
  ShieldCheck,
  Tag,
  UserRound,
  UserRoundX,
  Waypoints,
} from 'lucide-react'
import { type Tool, tools } from '../tools.ts'

export interface NavEntry extends Pick<Tool, 'to' | 'label' | 'icon' | 'paid'> {
  /** The one entry with the gradient. */
  highlighted?: boolean
  /** Other addresses under this entry. */
  also?: string[]
  /** Shows how many conversations are unread. */
  counts?: 'unread'
  /** Other words the command palette finds it by. */
  keywords?: string
}

export interface NavGroup {
  id: string
  label: string
  entries: NavEntry[]
}

export const dashboardEntry: NavEntry = { to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard }
const contactsEntry: NavEntry = { to: '/contacts', label: 'Contacts', icon: ContactRound }

/** The sidebar's groups. The entries of docs/specification.md, 2, keep their order; the others stand where they belong. */
export const groups: NavGroup[] = [
  {
    id: 'campaigns',
    label: 'Campaigns',
    entries: [
      {
        ...tools.emailSender,
        also: ['/mail-dash', '/senders', '/sending-domains', '/bounce-sources'],
        keywords: 'campaigns newsletter',
      },
      { ...tools.whatsAppSender, also: ['/whatsapp-dash'], keywords: 'campaigns' },
      tools.gmailSender,
      { to: '/journeys', label: 'Journeys', icon: Waypoints, keywords: 'automations drip series workflows' },
      {
        to: '/whatsapp-sender/inbox',
        label: 'Inbox',
        icon: Inbox,
        counts: 'unread',
        keywords: 'whatsapp conversations',
      },
    ],
  },
  {
    id: 'audience',
    label: 'Audience',
    entries: [
      contactsEntry,
      { to: '/contacts/lists', label: 'Lists', icon: List },
      { to: '/contacts/tags', label: 'Tags', icon: Tag, keywords: 'labels' },
      { to: '/contacts/segments', label: 'Segments', icon: Filter, keywords: 'filters audience' },
      { to: '/contacts/forms', label: 'Forms', icon: ClipboardList, keywords: 'sign-up subscribe embed' },
      { to: '/contacts/suppressions', label: 'Suppressions', icon: UserRoundX, keywords: 'unsubscribed bounced' },
    ],
  },
  {
    id: 'content',
    label: 'Content',
    entries: [
      { to: '/my-templates', label: 'Templates', icon: LayoutTemplate },
      { to: '/my-templates/brand', label: 'Brand and images', icon: Palette },
    ],
  },
  { id: 'find', label: 'Find', entries: [tools.emailScraper, tools.numberScraper] },
  { id: 'analytics', label: 'Analytics', entries: [tools.gmailOpenRate, tools.gmailClickRate] },
]

/** The entries at the foot of the sidebar. */
export function footEntries({ admin, sandbox }: { admin: boolean; sandbox: boolean }): NavEntry[] {
  return [
    { to: '/account', label: 'Account', icon: UserRound },
    {
      to: '/plan',
      label: 'Subscription Plan',
      icon: BadgePlus,
      highlighted: true,
      keywords: 'billing invoices upgrade',
    },
    ...(admin
      ? [
          {
            to: '/admin/users',
            label: 'Admin',
            icon: ShieldCheck,
            also: ['/admin', '/create-coupun', '/create-blog', '/post-form'],
          },
        ]
      : []),
    ...(sandbox ? [{ to: '/sandbox', label: 'Sandbox', icon: FlaskConical }] : []),
  ]
}

/** The bar at the foot of a narrow screen has these, with Create and More between and after them. */
export const phoneEntries: { [name in 'dashboard' | 'campaigns' | 'contacts']: NavEntry } = {
  dashboard: dashboardEntry,
  campaigns: {
    ...tools.emailSender,
    label: 'Campaigns',
    also: ['/mail-dash', '/senders', '/sending-domains', '/bounce-sources'],
  },
  contacts: contactsEntry,
}

/** The entry whose address holds the path most closely: one at most is lit. */
export function findCurrent(entries: NavEntry[], pathname: string): NavEntry | undefined {
  let found: { entry: NavEntry; length: number } | undefined
  for (const entry of entries)
    for (const path of [entry.to, ...(entry.also ?? [])])
      if ((pathname === path || pathname.startsWith(`${path}/`)) && path.length > (found?.length ?? 0))
        found = { entry, length: path.length }
  return found?.entry
}
