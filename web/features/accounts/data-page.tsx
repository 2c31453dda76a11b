import { SampleCard } from '#web/features/samples/index.ts'
import { useUser } from '#web/session/queries.ts'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ExportCard } from './export/export-card.tsx'
import { DeleteCard } from './removal/delete-card.tsx'

export const meta = () => [{ title: 'Data · Account · Postlark' }]

/** All data of the user and the workspace: to take along, or to delete; sample data too. */
export default function DataPage() {
  const { data: user } = useUser()
  if (!user) return null
  return (
    <>
      <PageHeader title="Data" description="Download everything, add or remove sample data, or delete your account." />
      <ExportCard />
      <SampleCard isOffered />
      <DeleteCard user={user} />
    </>
  )
}
