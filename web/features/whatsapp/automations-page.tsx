import { Plus } from 'lucide-react'
import { useNavigate, useSearchParams } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { UrlSelect } from '#web/ui/url-select.tsx'
import { AutomationList } from './automations/automation-list.tsx'
import { useAutomations, versionOf } from './automations/queries.ts'
import { Simulator } from './automations/simulator.tsx'
import { kinds } from './automations/words.ts'
import { NeedsNumber } from './needs-number.tsx'
import { useNumbers } from './queries.ts'

export const meta = () => [{ title: 'WhatsApp automations · Postlark' }]

export default function AutomationsPage() {
  return (
    <>
      <PageHeader
        title="WhatsApp automations"
        description="Answers that go out by themselves, and hand over to a person when they should."
        action={<AddMenu />}
      />
      <NeedsNumber what="Automations answer what is written to a number of your own.">
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
                kept="They go on answering."
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
            version={versionOf(query.data.items)}
          />
        )}
      </div>
    </div>
  )
}

function HowDecided() {
  return (
    <section aria-label="How it is decided" className="max-w-prose space-y-1.5 text-base text-muted">
      <h2 className="text-base font-semibold text-ink">How it is decided</h2>
      <p>
        A message is shown to them from top to bottom. The first that fits answers, and only that one. While somebody
        answers questions, only a word that calls for a person gets through.
      </p>
      <p>
        Loops cannot happen: one message gets one answer at most, and one conversation 15 an hour and 60 a day. Then, as
        whenever you answer yourself, nothing answers by itself for 24 hours and a person takes over.
      </p>
      <p>STOP and its like come first: whoever opts out is never answered by an automation.</p>
    </section>
  )
}
