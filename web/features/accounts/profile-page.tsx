import { useNavigate } from 'react-router'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ThemeSwitch } from '#web/ui/theme/theme-switch.tsx'
import { logOut } from '../../session/log-out.ts'
import { useUser } from '../../session/queries.ts'
import { ExportCard } from './export/export-card.tsx'
import { ProfileForm } from './profile-form.tsx'
import { DeleteCard } from './removal/delete-card.tsx'
import { SessionList } from './sign-in/session-list.tsx'
import { SignInCard } from './sign-in/sign-in-card.tsx'

export const meta = () => [{ title: 'Account · Postlark' }]

export default function AccountPage() {
  const { data: user } = useUser()
  const navigate = useNavigate()
  if (!user) return null
  return (
    <div className="max-w-2xl">
      <PageHeader title="Account" description="Your profile, email footer and sessions." />
      <div className="space-y-5">
        <Card title="Profile" description={user.email}>
          <ProfileForm user={user} />
        </Card>
        <SignInCard user={user} />
        <Card title="Sessions" description="Devices where you are logged in." flush>
          <SessionList />
        </Card>
        <Card title="Theme" description="Saved in this browser." action={<ThemeSwitch />} className="pb-4" />
        <Card
          title="Log out"
          description="Ends the session in this browser."
          className="pb-4"
          action={<Button onClick={() => logOut().then(() => navigate('/login'))}>Log out</Button>}
        />
        <ExportCard />
        <DeleteCard user={user} />
      </div>
    </div>
  )
}
