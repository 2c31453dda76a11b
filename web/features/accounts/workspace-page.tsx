import { useUser } from '#web/session/queries.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

export const meta = () => [{ title: 'Workspace · Account · Postlark' }]

/** What all emails of the workspace say of the sender. */
export default function WorkspacePage() {
  const { data: user } = useUser()
  if (!user) return null
  return (
    <>
      <PageHeader title="Workspace" description="Your company, as recipients see it." />
      <Card title="Emails" description="What every email shows at its end, and how often one contact gets one.">
        <WorkspaceForm user={user} />
      </Card>
    </>
  )
}
