import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toConsent } from './consent.ts'
import { PasswordForm } from './password-form.tsx'
import { SETUP } from './paths.ts'
import { useSetup } from './queries.ts'

type ConnectionMethod = 'google' | 'password'

/** Two ways to connect an account: a permission given at Google, or an app password. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const [way, setWay] = useState<ConnectionMethod>('google')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Connect a Gmail account">
      <div className="space-y-5 pb-4">
        <RadioGroup
          legend="Connection method"
          quietLegend
          cards
          value={way}
          onChange={setWay}
          options={[
            {
              value: 'google',
              label: 'Sign in with Google (recommended)',
              hint: 'You choose what to allow, and can revoke it at Google at any time.',
            },
            {
              value: 'password',
              label: 'With an app password',
              hint: 'A 16-letter password that Google creates for one app. Requires 2-Step Verification.',
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
  const [reads, setReads] = useState(true)
  const go = useMutation({ mutationFn: () => toConsent({ reads }) })
  if (setup.data && !setup.data.client)
    return (
      <div className="space-y-4">
        <p className="text-base text-text">
          Google requires an OAuth client for every app. This server has none, so you create one once. It takes about
          ten minutes in the Google console.
        </p>
        <ButtonLink kind="primary" to={SETUP}>
          Show instructions
        </ButtonLink>
      </div>
    )
  return (
    <div className="space-y-4">
      <Checkbox
        label="Detect replies and bounces (recommended)"
        hint="Follow-ups stop when someone replies, and bounced addresses are excluded. Google will also ask you to let Postlark read this mailbox. We only look for replies and bounces of your campaigns. Clear this to allow sending only."
        checked={reads}
        onChange={(event) => setReads(event.target.checked)}
      />
      {go.isError && <FormBanner error={errorMessage(go.error)} />}
      <Button kind="primary" busy={go.isPending} disabled={!setup.data} onClick={() => go.mutate()}>
        Continue to Google
      </Button>
      <p className="text-sm text-muted">
        {setup.data?.client?.own ? 'Google will show the name of your own client. ' : ''}
        <Link to={SETUP} className="text-accent-text hover:underline">
          {setup.data?.client?.own ? 'View OAuth client' : 'Use your own OAuth client'}
        </Link>
      </p>
    </div>
  )
}
