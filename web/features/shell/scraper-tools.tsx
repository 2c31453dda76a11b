import { Outlet } from 'react-router'
import { TabLinks } from '#web/ui/layout/tabs.tsx'

const links = [
  { to: '/email-scraper', label: 'Email addresses' },
  { to: '/number-scraper', label: 'Phone numbers' },
]

/** Both scrapers under one row of tabs, because the sidebar has an entry for the first only. */
export default function ScraperTools() {
  return (
    <>
      <TabLinks label="Scrapers" links={links} className="-mt-2 mb-6" />
      <Outlet />
    </>
  )
}
