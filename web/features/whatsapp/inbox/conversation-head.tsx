import {
  Archive,
  ArchiveRestore,
  Bot,
  BotOff,
  ChevronLeft,
  MoreHorizontal,
  PanelRight,
  UserRound,
  UserRoundPlus,
} from 'lucide-react'
import { Link } from 'react-router'
import type { Conversation } from '#contracts/whatsapp/inbox.ts'
import { errorMessage } from '#web/api.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useNumbers } from '../numbers/queries.ts'
import { Initials } from './conversation-list.tsx'
import { useAssignees, useConversationChange, useSaving } from './queries.ts'
import { WindowLeft } from './window-left.tsx'

interface ConversationHeadProps {
  conversation: Conversation
  back: string
  onDetails: () => void
}

/** With whom, on which number, how long anything may be written, and who looks after it. */
export function ConversationHead({ conversation, back, onDetails }: ConversationHeadProps) {
  const numbers = useNumbers().data?.items ?? []
  const account = numbers.find(({ id }) => id === conversation.accountId)
  const change = useConversationChange(conversation.id)
  const act = (body: Parameters<typeof change.mutate>[0], done: string) =>
    change.mutate(body, { onSuccess: () => toast(done), onError: (error) => toast.error(errorMessage(error)) })
  const closed = conversation.state === 'closed'
  return (
    <header className="border-b px-4 py-3">
      <div className="flex items-center gap-3">
        <Link
          to={back}
          aria-label="All conversations"
          className="-ml-1.5 grid size-8 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink wide:hidden"
        >
          <ChevronLeft aria-hidden="true" className="size-5" />
        </Link>
        <Initials name={conversation.name} className="max-sm:hidden" />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-base font-semibold">{conversation.name}</h2>
          <p className="truncate text-sm text-muted tabular-nums">
            {conversation.phone ?? (conversation.bsuid ? 'Hidden number; known by a WhatsApp ID' : 'Unknown number')}
            {numbers.length > 1 && account && ` · to ${account.name}`}
          </p>
        </div>
        <Button
          size="sm"
          busy={change.isPending}
          className="max-sm:hidden"
          icon={
            closed ? (
              <ArchiveRestore aria-hidden="true" className="size-3.5" />
            ) : (
              <Archive aria-hidden="true" className="size-3.5" />
            )
          }
          onClick={() =>
            act({ state: closed ? 'open' : 'closed' }, closed ? 'Reopened' : 'Closed. It reopens when they write.')
          }
        >
          {closed ? 'Reopen' : 'Close'}
        </Button>
        <IconButton size="sm" label="Contact details" className="min-[1200px]:hidden" onClick={onDetails}>
          <PanelRight aria-hidden="true" className="size-4" />
        </IconButton>
        <MoreMenu conversation={conversation} act={act} />
      </div>
      <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
        <WindowLeft windowEndsAt={conversation.windowEndsAt} />
        {conversation.optedOut || conversation.suppressed ? (
          <Badge tone="harm" shape="minus">
            {conversation.optedOut ? 'Opted out' : 'Suppressed'}
          </Badge>
        ) : (
          <Badge
            tone={conversation.hasConsent ? 'good' : 'neutral'}
            shape={conversation.hasConsent ? 'check' : 'dashed'}
          >
            {conversation.hasConsent ? 'Consent recorded' : 'No consent recorded'}
          </Badge>
        )}
        {closed && <Badge shape="minus">Closed</Badge>}
        {conversation.heldUntil && (
          <Badge shape="pause">
            <span title={`Until ${formatMoment(conversation.heldUntil)}`}>Automations paused</span>
          </Badge>
        )}
        <Assign conversation={conversation} act={act} />
      </div>
    </header>
  )
}

type Act = (body: Parameters<ReturnType<typeof useConversationChange>['mutate']>[0], done: string) => void

function Assign({ conversation, act }: { conversation: Conversation; act: Act }) {
  const people = useAssignees().data?.items ?? []
  const assigned = conversation.assignedTo
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm" kind="quiet" icon={<UserRound aria-hidden="true" className="size-3.5" />}>
          {assigned ? assigned.name : 'Assign'}
        </Button>
      }
    >
      <MenuChoice
        label="Assignee"
        value={assigned?.id ?? ''}
        options={[{ value: '', label: 'Unassigned' }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(id) =>
          act(
            { assignedTo: id || null },
            id ? `Assigned to ${people.find((one) => one.id === id)?.name ?? 'them'}` : 'Unassigned',
          )
        }
      />
    </Menu>
  )
}

function MoreMenu({ conversation, act }: { conversation: Conversation; act: Act }) {
  const closed = conversation.state === 'closed'
  const saving = useSaving(conversation.id)
  return (
    <Menu
      trigger={
        <IconButton size="sm" label="More actions for this conversation">
          <MoreHorizontal aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      <MenuItem
        className="sm:hidden"
        onSelect={() => act({ state: closed ? 'open' : 'closed' }, closed ? 'Reopened' : 'Closed')}
      >
        {closed ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {closed ? 'Reopen' : 'Close'}
      </MenuItem>
      <MenuItem
        onSelect={() =>
          act(
            { held: conversation.heldUntil === null },
            conversation.heldUntil ? 'Automations resumed' : 'Automations paused here for 24 hours',
          )
        }
      >
        {conversation.heldUntil ? <Bot aria-hidden="true" /> : <BotOff aria-hidden="true" />}
        {conversation.heldUntil ? 'Resume automations' : 'Pause automations for 24 hours'}
      </MenuItem>
      {!conversation.contactId && (
        <>
          <MenuSeparator />
          <MenuItem
            onSelect={() =>
              saving.mutate(undefined, {
                onSuccess: () => toast.success('Saved to your contacts'),
                onError: (error) => toast.error(errorMessage(error)),
              })
            }
          >
            <UserRoundPlus aria-hidden="true" />
            Save as contact
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
