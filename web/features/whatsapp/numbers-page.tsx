import { PageHeader } from '#web/ui/page-header.tsx'

export const meta = () => [{ title: 'WhatsApp numbers · Postlark' }]

export default function NumbersPage() {
  return <PageHeader title="WhatsApp numbers" description="The business numbers you write from." />
}
