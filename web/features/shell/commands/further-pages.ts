import {
  Activity,
  Banknote,
  BookOpen,
  Bot,
  ChartColumn,
  Columns3,
  FileText,
  Globe,
  type LucideIcon,
  MailOpen,
  MailX,
  Phone,
  ScrollText,
  Server,
  Ticket,
} from 'lucide-react'

interface FurtherPage {
  to: string
  label: string
  icon: LucideIcon
  keywords?: string
  paid?: boolean
  admin?: boolean
}

/** Pages that are tabs of an entry of the sidebar: the palette leads to them directly. */
export const furtherPages: FurtherPage[] = [
  { to: '/contacts/fields', label: 'Custom fields', icon: Columns3, keywords: 'attributes merge fields' },
  { to: '/senders', label: 'Senders', icon: Server, keywords: 'smtp mail server' },
  { to: '/sending-domains', label: 'Sending domains', icon: Globe, keywords: 'dkim spf dmarc dns' },
  {
    to: '/bounce-sources',
    label: 'Bounce sources',
    icon: MailX,
    keywords: 'webhook complaints sendgrid mailgun postmark',
  },
  { to: '/gmail-sender/accounts', label: 'Gmail accounts', icon: MailOpen, keywords: 'connect google', paid: true },
  { to: '/whatsapp-sender/templates', label: 'WhatsApp templates', icon: FileText },
  { to: '/whatsapp-sender/automations', label: 'WhatsApp automations', icon: Bot, keywords: 'keyword replies welcome' },
  { to: '/whatsapp-dash', label: 'WhatsApp results', icon: ChartColumn, keywords: 'report analytics' },
  { to: '/whatsapp-sender/numbers', label: 'WhatsApp numbers', icon: Phone, keywords: 'connect phone' },
  { to: '/admin/health', label: 'Admin: health', icon: Activity, admin: true },
  { to: '/admin/audit', label: 'Admin: audit log', icon: ScrollText, admin: true },
  { to: '/admin/revenue', label: 'Admin: revenue', icon: Banknote, admin: true },
  { to: '/create-coupun', label: 'Admin: coupons', icon: Ticket, admin: true },
  { to: '/admin/blog', label: 'Admin: blog posts', icon: BookOpen, admin: true },
]
