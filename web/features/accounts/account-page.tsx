import { useNavigate } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { DeleteCard } from './delete-card.tsx'
import { ExportCard } from './export-card.tsx'
import { logOut } from './log-out.ts'
import { ProfileForm } from './profile-form.tsx'
import { SessionList } from './session-list.tsx'
import { useUser } from './session-queries.ts'
import { SignInCard } from './sign-in-card.tsx'

export const meta = () => [{ title: 'Account · Postlark' }]

export default function AccountPage() {
  const { data: user } = useUser()
  const navigate = useNavigate()
  if (!user) return null
  return (
    <div className="max-w-2xl">
      <PageHeader
        title="Account"
        description="Who you are, what stands at the foot of your mail, and where you are signed in."
      />
      <div className="space-y-5">
        <Card title="Profile" description={user.email}>
          <ProfileForm user={user} />
        </Card>
        <SignInCard user={user} />
        <Card title="Sessions" description="Where you are signed in." flush>
          <SessionList />
        </Card>
        <Card title="Colours" description="Kept in this browser." action={<ThemeSwitch />} className="pb-4" />
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
