import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { type DomainRecord, domains, type SendingDomain } from '#contracts/senders/domains.ts'
import { api } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatAgo } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { DomainState, purposes } from './labels.tsx'
import { LoopbackCard } from './loopback-card.tsx'
import { useDomain, useDomainAction } from './queries.ts'
import { RecordRow } from './record-row.tsx'

export const meta = () => [{ title: 'Sending domain · Postlark' }]

export default function DomainPage() {
  const { id = '' } = useParams()
  const { data, ...query } = useDomain(id)
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null)
  const check = useDomainAction(id, 'check')
  const look = () => check.mutate(undefined, { onError: (error) => toast.error(error.message) })
  return (
    <>
      <PageHeader
        title={data?.domain ?? 'Sending domain'}
        badge={data && <DomainState state={data.state} />}
        back={{ to: '/sending-domains', label: 'Domains' }}
        description={data && statusText(data)}
        action={
          data && (
            <>
              <Button
                kind={data.state === 'verified' || data.sandbox ? 'secondary' : 'primary'}
                icon={<RefreshCw aria-hidden="true" className="size-4" />}
                busy={check.isPending}
                onClick={look}
              >
                Check DNS now
              </Button>
              <Menu
                trigger={
                  <IconButton label={`More actions for ${data.domain}`}>
                    <MoreHorizontal aria-hidden="true" className="size-4" />
                  </IconButton>
                }
              >
                <MenuItem onSelect={() => setAsked('rotate')}>Rotate DKIM key</MenuItem>
                <MenuItem harm onSelect={() => setAsked('remove')}>
                  Remove domain
                </MenuItem>
              </Menu>
            </>
          )
        }
      />
      {query.isPending && <Skeleton className="h-96 rounded-card" />}
      {query.isError && !data && (
        <Card flush>
          <ErrorState title="The domain could not be loaded" error={query.error} onRetry={() => query.refetch()} />
        </Card>
      )}
      {data && (
        <div className="space-y-5">
          {data.sandbox && <SandboxDns domain={data} />}
          <Records records={data.records} />
          <LoopbackCard domain={data} />
          <Card
            title="Who sends as your domain"
            description="Receivers report daily which servers sent emails with your domain in From, and whether they passed."
            className="pb-4"
            action={
              <Link to="dmarc" className="text-base font-medium text-accent-text hover:underline">
                View DMARC reports
              </Link>
            }
          />
        </div>
      )}
      {data && <RotateDialog domain={data} open={asked === 'rotate'} onClose={() => setAsked(null)} />}
      {data && <RemoveDialog domain={data} open={asked === 'remove'} onClose={() => setAsked(null)} />}
    </>
  )
}

function statusText({ signs, checkedAt, state }: SendingDomain): string {
  const signed = signs ? 'Emails from this domain are signed.' : 'Emails from this domain are not signed yet.'
  if (checkedAt === null) return `${signed} DNS is checked within a minute.`
  const again = state === 'verified' ? 'DNS is checked every day' : 'DNS is checked again automatically'
  return `${signed} ${again}; last check ${formatAgo(checkedAt)}.`
}

function Records({ records }: { records: DomainRecord[] }) {
  const shown = Object.entries(purposes).flatMap(([purpose, words]) => {
    const own = records.filter((record) => record.purpose === purpose)
    return own.length > 0 ? [{ purpose, own, ...words }] : []
  })
  return shown.map(({ purpose, own, title, text }) => (
    <Card key={purpose} title={title} description={text} flush>
      <ul className="divide-y border-t">
        {own.map((record) => (
          <RecordRow
            key={`${record.type} ${record.name}`}
            record={record}
            isRotating={own.some(({ key }) => key === 'active')}
          />
        ))}
      </ul>
    </Card>
  ))
}

/** In the sandbox nobody owns a domain: its records go to the emulator, which the checks ask instead of the internet. */
function SandboxDns({ domain }: { domain: SendingDomain }) {
  const publish = useDomainAction(domain.id, 'publish')
  const withdraw = useDomainAction(domain.id, 'withdraw')
  const tell = { onError: (error: Error) => toast.error(error.message) }
  const isPublished = domain.records.some(({ state }) => state === 'pass')
  return (
    <Banner
      tone="info"
      title="Sandbox: your real DNS is not asked"
      action={
        <div className="grid justify-items-start gap-2">
          <Button size="sm" busy={publish.isPending} onClick={() => publish.mutate(undefined, tell)}>
            Publish these records in the sandbox DNS
          </Button>
          {isPublished && (
            <Button size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate(undefined, tell)}>
              Remove them
            </Button>
          )}
        </div>
      }
    >
      Checks ask a name server on this machine. Publishing there shows how this page works and changes nothing on the
      internet.
    </Banner>
  )
}

interface AskProps {
  domain: SendingDomain
  open: boolean
  onClose: () => void
}

function RotateDialog({ domain, open, onClose }: AskProps) {
  const rotate = useDomainAction(domain.id, 'rotate')
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => !stays && onClose()}
      title="Create a new DKIM key?"
      action="Create key"
      onConfirm={() => rotate.mutateAsync()}
    >
      You publish two new records. Until DNS has them, emails are signed with the current key. Leave its records in DNS
      until this page no longer lists them: emails signed with it may still be on their way.
    </ConfirmDialog>
  )
}

function RemoveDialog({ domain, open, onClose }: AskProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => !stays && onClose()}
      title={`Remove ${domain.domain}?`}
      action="Remove domain"
      typed={domain.domain}
      onConfirm={async () => {
        await api(domains.remove, { params: { id: domain.id } })
        queries.removeQueries({ queryKey: ['domains', domain.id] })
        await queries.invalidateQueries({ queryKey: ['domains'], exact: true })
        await navigate('/sending-domains')
      }}
    >
      Its DKIM keys are deleted, and emails from this domain are no longer signed. Leave the records in DNS for a week:
      emails on their way still need them.
    </ConfirmDialog>
  )
}
