import { useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { api } from '#web/api.ts'
import { NotFound } from '#web/features/site/index.ts'
import { useUser } from '#web/session/queries.ts'
import { Button } from '#web/ui/form/button.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { MagicAddresses } from './first-mail.tsx'
import { Mailbox } from './mailbox.tsx'
import { useMails } from './queries.ts'
import { SandboxSection } from './sandbox-section.tsx'

export const meta = () => [{ title: 'Sandbox · Postlark' }, { name: 'robots', content: 'noindex' }]

/** The mail that would have left: a workspace's own, and all of it for admins. Where no sandbox runs there is no such page. */
export default function SandboxPage() {
  const user = useUser(true)
  return user.data ? <Sandbox isAdmin={user.data.role === 'admin'} /> : null
}

const deletes = {
  all: 'Every email in the sandbox is permanently deleted, those of other workspaces too.',
  workspace: 'All sandbox emails of this workspace are permanently deleted.',
  system: 'All system emails, such as confirmations and password resets, are permanently deleted.',
}

function Sandbox({ isAdmin }: { isAdmin: boolean }) {
  const queries = useQueryClient()
  // On a phone the mail has the screen for itself.
  const [parameters, setParameters] = useSearchParams()
  const reading = parameters.has('mail')
  const wanted = parameters.get('of')
  const of = isAdmin && (wanted === 'workspace' || wanted === 'system') ? wanted : undefined
  const all = useMails(of, '')
  const [asking, setAsking] = useState(false)
  const [showing, setShowing] = useState(false)
  if (all.error instanceof ApiError && all.error.status === 404) return <NotFound />
  const total = all.data?.pages[0]?.total ?? 0

  async function empty() {
    await api(sandbox.clear, { query: { ...(of && { of }) } })
    setParameters(of ? { of } : {}, { replace: true })
    queries.removeQueries({ queryKey: ['sandbox', 'mail'] })
    await queries.resetQueries({ queryKey: ['sandbox', 'list'] })
    toast('Emails deleted')
  }
  return (
    <SandboxSection>
      <PageHeader
        title="Sandbox"
        description={
          <span className={cx(reading && 'max-wide:hidden')}>
            Every email that would have been sent. None of them reached anyone.
          </span>
        }
        action={
          total > 0 && (
            <div className={cx('flex flex-wrap items-center gap-2', reading && 'max-wide:hidden')}>
              <Button
                kind="quiet"
                icon={<FlaskConical aria-hidden="true" className="size-4" />}
                onClick={() => setShowing(true)}
              >
                Simulate a failure
              </Button>
              <Button icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={() => setAsking(true)}>
                Delete all
              </Button>
            </div>
          )
        }
      />
      <Mailbox of={of} isAdmin={isAdmin} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete these emails?"
        action="Delete emails"
        onConfirm={empty}
      >
        {isAdmin ? deletes[of ?? 'all'] : deletes.workspace} Campaigns and their reports are kept.
      </ConfirmDialog>
      <Dialog open={showing} onOpenChange={setShowing} title="Simulate a failure">
        <div className="pb-4">
          <MagicAddresses />
        </div>
      </Dialog>
    </SandboxSection>
  )
}
