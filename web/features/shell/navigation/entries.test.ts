import { expect, test } from 'vitest'
import { dashboardEntry, findCurrent, footEntries, groups } from './entries.ts'

const all = [
  dashboardEntry,
  ...groups.flatMap(({ entries }) => entries),
  ...footEntries({ admin: true, sandbox: true }),
]

test('sidebar: every page lights one entry, the one whose address holds it most closely', () => {
  const pages: Record<string, string | undefined> = {
    '/email-sender': 'Email Sender',
    '/mail-dash/12': 'Email Sender',
    '/senders': 'Email Sender',
    '/sending-domains': 'Email Sender',
    '/bounce-sources': 'Email Sender',
    '/whatsapp-sender/12': 'WhatsApp Sender',
    '/whatsapp-dash': 'WhatsApp Sender',
    '/whatsapp-sender/inbox': 'Inbox',
    '/gmail-sender/campaigns/12': 'Gmail Sender',
    '/journeys/12': 'Journeys',
    '/contacts/import': 'Contacts',
    '/contacts/lists': 'Lists',
    '/contacts/tags': 'Tags',
    '/contacts/segments/3': 'Segments',
    '/contacts/forms/new': 'Forms',
    '/my-templates/brand': 'Brand and images',
    '/number-scraper/7': 'Number Scraper',
    '/admin/blog/edit/3': 'Admin',
    '/create-coupun': 'Admin',
    '/sandbox/whatsapp': 'Sandbox',
    '/planet': undefined,
  }
  const found = Object.fromEntries(Object.keys(pages).map((page) => [page, findCurrent(all, page)?.label]))
  expect(found).toEqual(pages)
})

test('sidebar: Admin is for admins, and Sandbox shows while nothing is really sent', () => {
  const labels = (who: { admin: boolean; sandbox: boolean }) => footEntries(who).map(({ label }) => label)
  expect(labels({ admin: false, sandbox: false })).toEqual(['Account', 'Subscription Plan'])
  expect(labels({ admin: true, sandbox: true })).toEqual(['Account', 'Subscription Plan', 'Admin', 'Sandbox'])
})
