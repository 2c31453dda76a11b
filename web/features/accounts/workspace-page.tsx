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
      <Card title="Emails" description="The footer of every email, and how many emails a contact gets.">
        <WorkspaceForm user={user} />
      </Card>
    </>
  )
}
