import { useSearchParams } from 'react-router'
import type { AdminUser } from '#contracts/admin/admin.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatDay, plural } from '#web/ui/lib/format.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { capital, planOptions } from './labels.ts'
import { useUsers } from './queries.ts'
import { PlanBadge, UserState } from './user-badges.tsx'
import { UserPanel } from './user-panel.tsx'

export const meta = () => [{ title: 'Users · Admin · Postlark' }]

const columns: Column<AdminUser>[] = [
  { id: 'email', header: 'Address', cell: (user) => <Cut text={user.email} className="md:max-w-60" /> },
  { id: 'name', header: 'Name', cell: (user) => <Cut text={user.name} className="md:max-w-44" /> },
  { id: 'plan', header: 'Plan', cell: (user) => <PlanBadge plan={user.plan} /> },
  {
    id: 'state',
    header: 'Status',
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
  const show = (id: string | undefined) => setSearch((old) => withParam(old, 'user', id), { preventScrollReset: true })
  const filter = { q: given('q'), state: given('state'), plan: given('plan'), role: given('role') }
  return (
    <>
      <PageHeader title="Users" description="All accounts on this server." />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <UrlSearch label="Search name or address" className="w-full sm:w-72" />
        <UrlSelect
          param="plan"
          label="Plan"
          all="All plans"
          options={planOptions}
          className="w-full min-[480px]:w-36"
        />
        <UrlSelect
          param="role"
          label="Role"
          all="All roles"
          options={['user', 'admin'].map((value) => ({ value, label: capital(value) }))}
          className="w-full min-[480px]:w-32"
        />
        <FilterChips
          param="state"
          label="Status"
          all="All"
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
  return (
    <PagedTable
      label="Users"
      query={query}
      pages={pages}
      failure="The users could not be loaded"
      columns={columns}
      rowKey={(user) => user.id}
      onOpen={onOpen}
      empty={
        <EmptyState
          drawing={<SearchDrawing />}
          title="No users found"
          action={<ButtonLink to="/admin/users">Clear filters</ButtonLink>}
        >
          Try part of the name or address, or another filter.
        </EmptyState>
      }
      count={(total) => plural(total, 'user')}
    />
  )
}
