import { Plus } from 'lucide-react'
import { useNavigate, useSearchParams } from 'react-router'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { NeedsNumber } from '../numbers/needs-number.tsx'
import { useNumbers } from '../numbers/queries.ts'
import { AutomationList } from './automation-list.tsx'
import { kinds } from './labels.ts'
import { automationsVersion, useAutomations } from './queries.ts'
import { Simulator } from './simulator.tsx'

export const meta = () => [{ title: 'WhatsApp automations · Postlark' }]

export default function AutomationsPage() {
  return (
    <>
      <PageHeader
        title="WhatsApp automations"
        description="Automatic replies, handed over to a person when needed."
        action={<AddMenu />}
      />
      <NeedsNumber what="Automations reply to messages sent to your own number.">
        <Automations />
      </NeedsNumber>
    </>
  )
}

/** The number in the address, else the first: automations belong to one. */
function useNumber() {
  const [search] = useSearchParams()
  const numbers = useNumbers().data?.items ?? []
  return numbers.find(({ id }) => id === search.get('number')) ?? numbers[0]
}

function AddMenu() {
  const number = useNumber()
  const navigate = useNavigate()
  if (!number) return null
  return (
    <Menu
      trigger={
        <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
          Add automation
        </Button>
      }
    >
      {kinds.map(({ kind, label, does }) => (
        <MenuItem
          key={kind}
          onSelect={() => void navigate(`/whatsapp-sender/automations/new?kind=${kind}&number=${number.id}`)}
        >
          <span className="py-1">
            <span className="block font-medium">{label}</span>
            <span className="block text-sm text-muted">{does}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}

function Automations() {
  const number = useNumber()
  const numbers = useNumbers().data?.items ?? []
  const query = useAutomations(number?.id ?? '')
  if (!number) return null
  return (
    <div className="space-y-4">
      {numbers.length > 1 && (
        <UrlSelect
          param="number"
          label="Number"
          className="sm:w-64"
          all={`${numbers[0]?.name} (${numbers[0]?.displayPhone})`}
          options={numbers
            .slice(1)
            .map(({ id, name, displayPhone }) => ({ value: id, label: `${name} (${displayPhone})` }))}
        />
      )}
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 space-y-5">
          {query.isError && !query.data && (
            <Card flush>
              <ErrorState
                title="The automations could not be loaded"
                error={query.error}
                saved="They keep replying."
                onRetry={() => query.refetch()}
              />
            </Card>
          )}
          {query.isPending && (
            <Card flush>
              <SkeletonRows />
            </Card>
          )}
          {query.data && <AutomationList key={number.id} accountId={number.id} automations={query.data.items} />}
          <HowDecided />
        </div>
        {query.data && (
          <Simulator
            key={number.id}
            accountId={number.id}
            name={number.verifiedName || number.name}
            version={automationsVersion(query.data.items)}
          />
        )}
      </div>
    </div>
  )
}

function HowDecided() {
  return (
    <section aria-label="How automations work" className="max-w-prose space-y-1.5 text-base text-muted">
      <h2 className="text-base font-semibold text-ink">How automations work</h2>
      <p>
        Each message is checked against your automations from top to bottom. The first match replies, and only that one.
        While a contact is answering questions, only a keyword that hands over to a person interrupts them.
      </p>
      <p>
        Loops are not possible: each message gets at most one reply, and each conversation at most 15 an hour and 60 a
        day. After that, or when you reply yourself, automations pause for 24 hours and a person takes over.
      </p>
      <p>STOP and similar words come first. People who opt out never get an automatic reply.</p>
    </section>
  )
}
