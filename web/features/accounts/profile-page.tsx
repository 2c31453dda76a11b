import { useUser } from '#web/session/queries.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ProfileForm } from './profile-form.tsx'

export const meta = () => [{ title: 'Account · Postlark' }]

/** Who the user is, and the time zone they see. */
export default function ProfilePage() {
  const { data: user } = useUser()
  if (!user) return null
  return (
    <>
      <PageHeader title="Account" description="Your name and how times are shown to you." />
      <Card title="Profile">
        <ProfileForm user={user} />
      </Card>
    </>
  )
}
