import { useNavigate } from 'react-router'
import { logOut } from '#web/session/log-out.ts'
import { useUser } from '#web/session/queries.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { SessionList } from './sign-in/session-list.tsx'
import { SignInCard } from './sign-in/sign-in-card.tsx'

export const meta = () => [{ title: 'Security · Account · Postlark' }]

/** How the user logs in, and where they are logged in. */
export default function SecurityPage() {
  const { data: user } = useUser()
  const navigate = useNavigate()
  if (!user) return null
  return (
    <>
      <PageHeader title="Security" description="How you log in, and the devices you are logged in on." />
      <SignInCard user={user} />
      <Card title="Sessions" description="Devices where you are logged in." flush>
        <SessionList />
      </Card>
      <Card
        title="Log out"
        description="Ends the session in this browser."
        className="pb-4"
        action={<Button onClick={() => logOut().then(() => navigate('/login'))}>Log out</Button>}
      />
    </>
  )
}
