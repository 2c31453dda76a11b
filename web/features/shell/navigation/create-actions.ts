import { LayoutTemplate, Upload, Waypoints } from 'lucide-react'
import { channelPages } from '#web/channel-pages.ts'
import { type Tool, tools } from '../tools.ts'

export type CreateAction = Pick<Tool, 'to' | 'label' | 'icon' | 'paid'>

const { emailSender, gmailSender, whatsAppSender, emailScraper } = tools

/** What can be created from anywhere. */
export const createActions: CreateAction[] = [
  { ...emailSender, to: channelPages.email.wizard, label: 'Email campaign' },
  { ...gmailSender, to: channelPages.gmail.wizard, label: 'Gmail campaign' },
  { ...whatsAppSender, to: channelPages.whatsapp.wizard, label: 'WhatsApp campaign' },
  { to: '/journeys/new', label: 'Journey', icon: Waypoints },
  { to: '/my-templates', label: 'Template', icon: LayoutTemplate },
  { to: '/contacts/import', label: 'Import contacts', icon: Upload },
  { ...emailScraper, label: 'Scrape' },
]
