import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { ContactFilter } from '#contracts/contacts/conditions.ts'
import { type Segment, segments } from '#contracts/contacts/segments.ts'
import { api, errorMessage } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { GroupEditor } from './group-editor.tsx'
import { Preview } from './preview.tsx'
import { useSegment } from './queries.ts'
import { changeItem, isFull, newCondition, toDraft, toFilter } from './tree.ts'

export const meta = () => [{ title: 'Segment · Postlark' }]

/** The builder, for a new segment or one there is. */
export default function SegmentPage() {
  const { id } = useParams()
  const { data, ...query } = useSegment(id)
  const isLoading = id !== undefined && !data
  return (
    <>
      <PageHeader
        title={data?.name ?? (id === undefined ? 'New segment' : 'Segment')}
        back={{ to: '/contacts/segments', label: 'Segments' }}
        description="Contacts enter and leave as they match the conditions."
        action={data && <ButtonLink to={`/contacts?segment=${data.id}`}>View contacts</ButtonLink>}
      />
      {isLoading && query.isPending && <Skeleton className="h-64 rounded-card" />}
      {isLoading && query.isError && (
        <Card flush>
          <ErrorState title="The segment could not be loaded" error={query.error} onRetry={() => query.refetch()} />
        </Card>
      )}
      {!isLoading && <Builder key={id ?? 'new'} segment={data} />}
    </>
  )
}

/** What a new segment starts with: the filter in the URL, if it is one. */
function readFilter(search: URLSearchParams): ContactFilter | undefined {
  try {
    const { data } = ContactFilter.safeParse(JSON.parse(search.get('filter') ?? ''))
    return data && data.items.length > 0 ? data : undefined
  } catch {
    return undefined
  }
}

function Builder({ segment }: { segment: Segment | undefined }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState(segment?.name ?? '')
  const [search] = useSearchParams()
  const [root, setRoot] = useState(() => {
    const filter = segment?.filter ?? readFilter(search)
    return filter ? toDraft(filter) : { ...toDraft({ op: 'and', items: [] }), items: [newCondition()] }
  })
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<{ name?: string; form?: string }>({})
  const { filter, fault } = toFilter(root)
  async function save(event: React.FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return setError({ name: 'Name is required.' })
    if (!filter) return setError({ form: fault })
    setBusy(true)
    setError({})
    try {
      const body = { name, filter }
      const saved = segment
        ? await api(segments.update, { params: { id: segment.id }, body })
        : await api(segments.create, { body })
      queries.setQueryData(['segments', saved.id], saved)
      await queries.invalidateQueries({ queryKey: ['segments'], exact: true })
      toast.success('Segment saved')
      if (!segment) await navigate(`/contacts/segments/${saved.id}`, { replace: true })
    } catch (error) {
      setError({ form: errorMessage(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      onSubmit={(event) => void save(event)}
      className="grid items-start gap-5 wide:grid-cols-[minmax(0,1fr)_18rem]"
    >
      <div className="min-w-0 space-y-5">
        <FormBanner error={error.form} />
        {segment && segment.problems.length > 0 && (
          <Banner tone="attention" title="Nobody is in this segment">
            {segment.problems.map(({ message }) => message).join(' ')} Choose another one, or remove the condition.
          </Banner>
        )}
        <Card>
          <Field label="Name" error={error.name}>
            <Input
              autoComplete="off"
              maxLength={120}
              placeholder="Opened in the last 30 days"
              value={name}
              onChange={(event) => {
                setName(event.target.value)
                setError({})
              }}
            />
          </Field>
        </Card>
        <Card>
          <GroupEditor
            group={root}
            depth={1}
            full={isFull(root)}
            change={(key, change) => setRoot((old) => changeItem(old, key, change))}
          />
        </Card>
        <Button kind="primary" type="submit" busy={busy}>
          {segment ? 'Save changes' : 'Create segment'}
        </Button>
      </div>
      <Preview filter={filter} fault={fault} />
    </form>
  )
}
