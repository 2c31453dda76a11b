import { useSearchParams } from 'react-router'
import type { AdminUser } from '#contracts/admin.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/class-names.ts'
import { CursorPager, useCursorPages } from '#web/ui/cursor-pager.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { SearchDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FilterChips } from '#web/ui/filter-chips.tsx'
import { formatDay, plural } from '#web/ui/format.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { UrlSearch } from '#web/ui/url-search.tsx'
import { UrlSelect } from '#web/ui/url-select.tsx'
import { useUsers } from './queries.ts'
import { PlanBadge, UserState } from './user-badges.tsx'
import { UserPanel } from './user-panel.tsx'
import { capital, planOptions } from './words.ts'

export const meta = () => [{ title: 'Users · Admin · Postlark' }]

const columns: Column<AdminUser>[] = [
  { id: 'email', header: 'Address', cell: (user) => <Cut text={user.email} className="md:max-w-60" /> },
  { id: 'name', header: 'Name', cell: (user) => <Cut text={user.name} className="md:max-w-44" /> },
  { id: 'plan', header: 'Plan', cell: (user) => <PlanBadge plan={user.plan} /> },
  {
    id: 'state',
    header: 'State',
    cell: (user) => (
      <span className="inline-flex gap-1.5">
        <UserState user={user} />
        {user.role === 'admin' && <Badge tone="accent">Admin</Badge>}
      </span>
    ),
  },
  { id: 'seen', header: 'Last seen', number: true, cell: (user) => formatDay(user.lastSeenAt) },
]

/** Both texts may be long, and the state beside them must stay in sight. */
function Cut({ text, className }: { text: string; className: string }) {
  return (
    <span title={text} className={cx('block truncate', className)}>
      {text}
    </span>
  )
}

/** Everybody with an account here, and one of them in detail beside the list (`?user=`). */
export default function UsersPage() {
  const [search, setSearch] = useSearchParams()
  const given = (name: string) => search.get(name) ?? ''
  const show = (id: string | undefined) =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old)
        if (id) next.set('user', id)
        else next.delete('user')
        return next
      },
      { preventScrollReset: true },
    )
  const filter = { q: given('q'), state: given('state'), plan: given('plan'), role: given('role') }
  return (
    <>
      <PageHeader title="Users" description="Everybody with an account on this installation." />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <UrlSearch label="Search name or address" className="w-full sm:w-72" />
        <UrlSelect param="plan" label="Plan" all="Any plan" options={planOptions} className="w-full min-[480px]:w-36" />
        <UrlSelect
          param="role"
          label="Role"
          all="Any role"
          options={['user', 'admin'].map((value) => ({ value, label: capital(value) }))}
          className="w-full min-[480px]:w-32"
        />
        <FilterChips
          param="state"
          label="State"
          all="Everybody"
          options={[
            { value: 'active', label: 'Active' },
            { value: 'unverified', label: 'Not confirmed' },
            { value: 'suspended', label: 'Suspended' },
          ]}
        />
      </div>
      <Card flush>
        <UserTable key={Object.values(filter).join(' ')} filter={filter} onOpen={(user) => show(user.id)} />
      </Card>
      {given('user') && <UserPanel key={given('user')} id={given('user')} onClose={() => show(undefined)} />}
    </>
  )
}

interface UserTableProps {
  filter: { q: string; state: string; plan: string; role: string }
  onOpen: (user: AdminUser) => void
}

function UserTable({ filter, onOpen }: UserTableProps) {
  const pages = useCursorPages()
  // The address may hold anything; the server says no to what it does not know.
  const query = useUsers({ ...filter, cursor: pages.cursor } as Parameters<typeof useUsers>[0])
  if (query.isError && !query.data)
    return <ErrorState title="The users could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  return (
    <DataTable
      label="Users"
      columns={columns}
      rows={query.data?.items}
      rowKey={(user) => user.id}
      onOpen={onOpen}
      stale={query.isPlaceholderData}
      empty={
        <EmptyState
          drawing={<SearchDrawing />}
          title="Nobody matches"
          action={<ButtonLink to="/admin/users">Show everybody</ButtonLink>}
        >
          Try a part of the name or the address, or another filter.
        </EmptyState>
      }
      footer={
        <CursorPager
          pages={pages}
          nextCursor={query.data?.nextCursor}
          busy={query.isPlaceholderData}
          note={query.data?.total === undefined ? undefined : plural(query.data.total, 'user')}
        />
      }
    />
  )
}
