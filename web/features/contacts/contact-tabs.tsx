import { TabLinks } from '#web/ui/layout/tab-links.tsx'

/** The pages about people: themselves, the lists they are on, and those nobody writes to. */
export function ContactTabs() {
  return (
    <TabLinks
      label="Contacts"
      className="mb-5"
      links={[
        { to: '/contacts', label: 'Contacts' },
        { to: '/contacts/lists', label: 'Lists' },
        { to: '/contacts/suppressions', label: 'Suppressions' },
        { to: '/contacts/import', label: 'Import' },
      ]}
    />
  )
}
