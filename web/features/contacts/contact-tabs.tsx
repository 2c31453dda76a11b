import { TabLinks } from '#web/ui/tabs.tsx'

/** The pages about people: themselves, the lists they are on, and those nobody writes to. */
export function ContactTabs() {
  return (
    <TabLinks
      label="Contacts"
      className="mb-5"
      links={[
        { to: '/contacts', label: 'People', end: true },
        { to: '/contacts/lists', label: 'Lists' },
        { to: '/contacts/suppressions', label: 'Never written to' },
        { to: '/contacts/import', label: 'Import' },
      ]}
    />
  )
}
