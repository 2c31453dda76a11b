import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import { api } from '#web/api.ts'
import { exportFile } from '#web/export-file.ts'
import { Consents } from '#web/features/consents/index.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay, formatMoment } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { EnrollSelection } from './bulk/enroll-dialog.tsx'
import { describeChange, HOW_TO_UNDO } from './bulk/labels.ts'
import { useBulkChange, useConsentRecording } from './bulk/queries.ts'
import { ContactDetails } from './contact-details.tsx'
import { ContactLists } from './contact-lists.tsx'
import { EmailConsent } from './email-consent.tsx'
import { EraseContact } from './erasure/erase-contact.tsx'
import { labelSource, reasonLabels } from './labels.ts'
import { MergeDialog } from './merging/merge-dialog.tsx'
import { Merged } from './merging/merged.tsx'
import { Origins } from './origins.tsx'
import { type ContactProfile, useContact } from './queries.ts'
import { StatusBadge } from './status-badge.tsx'
import { ContactTags } from './tags/contact-tags.tsx'
import { Timeline } from './timeline/timeline.tsx'

export const meta = () => [{ title: 'Contact · Postlark' }]

/** One contact: whether they can be reached and why, their fields and lists, and what happened. */
export default function ContactPage() {
  const { id = '' } = useParams()
  const query = useContact(id)
  if (query.isPending) return <SkeletonRows rows={8} />
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NoContact />
  if (query.isError && !query.data)
    return <ErrorState title="The contact could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  return <Profile key={id} contact={query.data} />
}

function NoContact() {
  return (
    <EmptyState
      drawing={<SearchDrawing />}
      title="Contact not found"
      action={<ButtonLink to="/contacts">All contacts</ButtonLink>}
    >
      It may have been removed.
    </EmptyState>
  )
}

function Profile({ contact }: { contact: ContactProfile }) {
  const record = useConsentRecording()
  const navigate = useNavigate()
  const address = contact.email ?? contact.phone ?? ''
  return (
    <>
      <PageHeader
        back={{ to: '/contacts', label: 'Contacts' }}
        title={<span className="wrap-anywhere">{contact.name || address}</span>}
        description={contact.name ? <span className="wrap-anywhere">{address}</span> : undefined}
        badge={
          <>
            <StatusBadge status={contact.status} />
            {contact.source === 'sample' && <Badge>Sample</Badge>}
          </>
        }
        action={<ProfileMenu contact={contact} />}
      />
      <Merged contactId={contact.id} />
      <div className="grid items-start gap-5 wide:grid-cols-5">
        <div className="min-w-0 space-y-5 wide:col-span-2">
          <Reachability contact={contact} />
          <Origins contact={contact} />
          <EmailConsent contact={contact} />
          <Consents contact={contact} onRecord={record({ ids: [contact.id] })} />
          <ContactDetails contact={contact} />
          <ContactTags contact={contact} />
          <ContactLists contact={contact} />
          <EraseContact contact={contact} onErased={() => navigate('/contacts')} />
        </div>
        <div className="min-w-0 wide:col-span-3">
          <Timeline contactId={contact.id} />
        </div>
      </div>
    </>
  )
}

const explanations: Record<ContactProfile['status'], string> = {
  subscribed: 'Receives campaigns.',
  pending: 'Has not confirmed a list yet. Campaigns skip this contact until then.',
  unsubscribed: 'Campaigns skip this contact. Only they can subscribe again.',
  bounced: 'The address bounced. Campaigns skip this contact.',
  suppressed: 'Campaigns skip this contact.',
}

/** How often a subscribed contact wants emails. */
function explainFrequency({ frequency, pausedUntil }: ContactProfile): string {
  if (pausedUntil) return `Paused emails until ${formatDay(pausedUntil)}. Email campaigns skip this contact until then.`
  return frequency === 'weekly' ? 'Receives campaigns, at most one email a week.' : explanations.subscribed
}

/** Whether campaigns reach the contact, why not, and where it came from. */
function Reachability({ contact }: { contact: ContactProfile }) {
  const reason = contact.suppressed === null ? undefined : (reasonLabels[contact.suppressed] ?? contact.suppressed)
  return (
    <Card title="Overview">
      <dl className="space-y-2.5 pt-1 text-base">
        <Fact name="Status">
          {contact.source === 'sample'
            ? 'A sample contact: it gets no campaign and does not count toward your plan.'
            : contact.status === 'subscribed'
              ? explainFrequency(contact)
              : explanations[contact.status]}
          {reason && contact.status !== 'unsubscribed' && (
            <span className="block text-sm text-muted">Suppressed: {reason}</span>
          )}
        </Fact>
        <Fact name="Source">{labelSource(contact.source)}</Fact>
        <Fact name="Added">{formatMoment(contact.createdAt)}</Fact>
        <Fact name="Updated">{formatMoment(contact.updatedAt)}</Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="gap-3 sm:flex">
      <dt className="shrink-0 text-sm leading-6 text-muted sm:w-20">{name}</dt>
      <dd className="min-w-0 text-ink sm:px-2">{children}</dd>
    </div>
  )
}

function ProfileMenu({ contact }: { contact: ContactProfile }) {
  const navigate = useNavigate()
  const change = useBulkChange()
  const [asked, setAsked] = useState(false)
  const [merging, setMerging] = useState(false)
  const [enrolling, setEnrolling] = useState(false)
  const name = contact.email ?? contact.phone ?? contact.name
  const download = () =>
    exportFile(() => api(contactTimeline.export, { params: { id: contact.id } }), `contact-${contact.id}.json`)
  return (
    <>
      <Menu
        trigger={
          <IconButton label="Actions for this contact">
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        {contact.source !== 'sample' && (
          <>
            <MenuItem onSelect={() => void download()}>Export contact (JSON)</MenuItem>
            <MenuItem onSelect={() => setEnrolling(true)}>Enroll in a journey</MenuItem>
            <MenuItem onSelect={() => setMerging(true)}>Merge with another contact</MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuItem harm onSelect={() => setAsked(true)}>
          Remove contact
        </MenuItem>
      </Menu>
      {enrolling && (
        <EnrollSelection
          choice={{ ids: [contact.id] }}
          whose="1 contact"
          onStarted={() => setEnrolling(false)}
          onClose={() => setEnrolling(false)}
        />
      )}
      {merging && <MergeDialog contact={contact} onClose={() => setMerging(false)} />}
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={`Remove ${name}?`}
        action="Remove contact"
        onConfirm={() =>
          change({ ids: [contact.id] }, { action: 'delete' }, describeChange, () => navigate('/contacts'))
        }
      >
        Their fields, lists and sources are deleted. Reports and suppressions stay. {HOW_TO_UNDO}
      </ConfirmDialog>
    </>
  )
}
