import { useQuery } from '@tanstack/react-query'
import { UserRoundPlus } from 'lucide-react'
import { Link } from 'react-router'
import type { Contact } from '#contracts/contacts/contacts.ts'
import { type Conversation, whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { api, errorMessage } from '#web/api.ts'
import { channelPages } from '#web/channel-pages.ts'
import { Consents } from '#web/features/consents/index.ts'
import { useConsentRecording, useContact, useFindField, useLists } from '#web/features/contacts/index.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { messageState } from '../labels.ts'
import { Initials } from './conversation-list.tsx'
import { useSaving } from './queries.ts'

/** Who is at the other end, beside the conversation: consent, lists, fields, and the campaigns they got. */
export function ContactDetails({ conversation }: { conversation: Conversation }) {
  return (
    <div className="space-y-5">
      <div className="flex items-center gap-3">
        <Initials name={conversation.name} className="size-11" />
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere text-ink">{conversation.name}</p>
          <p className="text-sm text-muted tabular-nums">{conversation.phone ?? 'Hidden number'}</p>
        </div>
      </div>
      {conversation.contactId ? (
        <KnownContact id={conversation.contactId} conversation={conversation} />
      ) : (
        <NotSaved conversation={conversation} />
      )}
      <Campaigns id={conversation.id} />
    </div>
  )
}

/** The same over the page, where there is no room beside the conversation. */
export function ContactPanel({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  return (
    <SidePanel open onOpenChange={(open) => !open && onClose()} title="Contact">
      <ContactDetails conversation={conversation} />
    </SidePanel>
  )
}

function NotSaved({ conversation }: { conversation: Conversation }) {
  const saving = useSaving(conversation.id)
  return (
    <div className="space-y-3 rounded-card border border-dashed p-3.5">
      <p className="text-sm text-muted">
        This person is not in your contacts. Save them to add fields, lists and consent.
      </p>
      <Button
        size="sm"
        busy={saving.isPending}
        icon={<UserRoundPlus aria-hidden="true" className="size-3.5" />}
        onClick={() =>
          saving.mutate(undefined, {
            onSuccess: () => toast.success('Saved to your contacts'),
            onError: (error) => toast.error(errorMessage(error)),
          })
        }
      >
        Add to contacts
      </Button>
    </div>
  )
}

function KnownContact({ id, conversation }: { id: string; conversation: Conversation }) {
  const contact = useContact(id)
  const record = useConsentRecording()
  if (contact.isPending) return <Skeleton className="h-40" />
  if (!contact.data) return <p className="text-sm text-harm-text">The contact could not be loaded.</p>
  return (
    <>
      <Consents contact={{ ...conversation, id }} onRecord={record({ ids: [id] })} />
      <Lists ids={contact.data.lists} />
      <Fields contact={contact.data} />
    </>
  )
}

const Heading = ({ children }: { children: React.ReactNode }) => (
  <h3 className="mb-1.5 text-sm font-medium text-ink">{children}</h3>
)

function Lists({ ids }: { ids: string[] }) {
  const lists = useLists().data?.items ?? []
  const own = lists.filter(({ id }) => ids.includes(id))
  return (
    <section>
      <Heading>Lists</Heading>
      {own.length === 0 ? (
        <p className="text-sm text-muted">On no list</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {own.map(({ id, name }) => (
            <li key={id} className="min-w-0">
              <Badge>
                <span className="wrap-anywhere">{name}</span>
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Fields({ contact }: { contact: Contact }) {
  const findField = useFindField()
  const fields = [
    ['Email', contact.email],
    ...Object.entries(contact.attributes).map(
      ([name, value]) => [findField(name)?.label ?? name, value === null ? null : String(value)] as const,
    ),
  ] as [string, string | null][]
  return (
    <section>
      <Heading>Fields</Heading>
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 gap-y-1 text-sm">
        {fields.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="wrap-anywhere text-muted">{name}</dt>
            <dd className="wrap-anywhere text-text">{value || '-'}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Campaigns({ id }: { id: string }) {
  const campaigns = useQuery({
    queryKey: ['whatsapp', 'conversation-campaigns', id],
    queryFn: () => api(whatsappConversations.campaigns, { params: { id } }),
  })
  const items = campaigns.data?.items ?? []
  return (
    <section>
      <Heading>WhatsApp campaigns</Heading>
      {campaigns.isPending ? (
        <Skeleton className="h-10" />
      ) : items.length === 0 ? (
        <p className="text-sm text-muted">No campaigns sent to this person</p>
      ) : (
        <ul className="space-y-2">
          {items.map(({ campaignId, name, status, at, replied }) => (
            <li key={`${campaignId} ${at}`} className="text-sm">
              <Link
                to={`${channelPages.whatsapp.reports}/${campaignId}`}
                className="font-medium wrap-anywhere text-accent-text underline underline-offset-3"
              >
                {name}
              </Link>
              <p className="text-muted">
                {replied ? 'Replied' : status === 'unconfirmed' ? 'Unconfirmed' : messageState[status]} ·{' '}
                <TimeAgo at={at} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
