import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { toConsent } from './consent.ts'
import { PasswordForm } from './password-form.tsx'
import { SETUP } from './places.ts'
import { useSetup } from './queries.ts'

type Way = 'google' | 'password'

/** Two ways to connect an account: a permission given at Google, or an app password. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const [way, setWay] = useState<Way>('google')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Connect a Gmail account">
      <div className="space-y-5 pb-4">
        <RadioGroup
          legend="How"
          quietLegend
          cards
          value={way}
          onChange={setWay}
          options={[
            {
              value: 'google',
              label: 'Sign in at Google (recommended)',
              hint: 'You allow sending, and nothing else. You can take it back at Google at any time.',
            },
            {
              value: 'password',
              label: 'With an app password',
              hint: 'Sixteen letters that Google makes for one program. Needs 2-step verification.',
            },
          ]}
        />
        {way === 'google' ? <ByGoogle /> : <PasswordForm onDone={onClose} />}
      </div>
    </Dialog>
  )
}

function ByGoogle() {
  const setup = useSetup()
  const [reads, setReads] = useState(false)
  const go = useMutation({ mutationFn: () => toConsent({ reads }) })
  if (setup.data && !setup.data.client)
    return (
      <div className="space-y-4">
        <p className="text-base text-text">
          Google asks every program for a client of its own. This installation has none, so you make one, once: about
          ten minutes in Google’s console, step by step.
        </p>
        <ButtonLink kind="primary" to={SETUP}>
          Show me how
        </ButtonLink>
      </div>
    )
  return (
    <div className="space-y-4">
      <Checkbox
        label="Also see replies and bounces"
        hint="Asks for reading your mailbox too, which Google warns about. With it, follow-ups stop when somebody answers. Without it, replies and bounces cannot be known."
        checked={reads}
        onChange={(event) => setReads(event.target.checked)}
      />
      {go.isError && <FormBanner error={messageOf(go.error)} />}
      <Button kind="primary" busy={go.isPending} disabled={!setup.data} onClick={() => go.mutate()}>
        Continue to Google
      </Button>
      <p className="text-sm text-muted">
        {setup.data?.client?.own ? 'Google will name your own client. ' : ''}
        <Link to={SETUP} className="text-accent-text hover:underline">
          {setup.data?.client?.own ? 'Look at the client' : 'Use a client of your own'}
        </Link>
      </p>
    </div>
  )
}
