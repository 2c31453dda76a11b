import { X } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { GmailRefusal, gmailRefusals } from '#contracts/gmail/gmail.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { SETUP } from './paths.ts'
import type { Account } from './queries.ts'

/** How a visit to Google's consent page ended, as the address says. */
export function Outcome({ accounts }: { accounts: Account[] | undefined }) {
  const [search, setSearch] = useSearchParams()
  const id = search.get('connected')
  const error = search.get('error')
  const account = accounts?.find((one) => one.id === id)
  const close = (
    <IconButton size="sm" label="Dismiss" onClick={() => setSearch({}, { replace: true })}>
      <X aria-hidden="true" className="size-4" />
    </IconButton>
  )
  if (error) {
    const known = GmailRefusal.safeParse(error)
    return (
      <Banner
        tone="harm"
        role="alert"
        title="The account was not connected"
        className="mb-4"
        action={
          error === 'client_refused' ? (
            <ButtonLink size="sm" to={SETUP}>
              View OAuth client
            </ButtonLink>
          ) : (
            close
          )
        }
      >
        {gmailRefusals[known.success ? known.data : 'failed']}
      </Banner>
    )
  }
  if (!account) return null
  return (
    <Banner tone="good" role="status" title={`${account.fromEmail} connected`} className="mb-4" action={close}>
      {account.gmail.rampUp ? 'Warm-up is on: 50 emails today, increasing 50% a day.' : 'You can send from it now.'}
    </Banner>
  )
}
