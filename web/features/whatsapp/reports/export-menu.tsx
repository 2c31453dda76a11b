import { Download } from 'lucide-react'
import { useState } from 'react'
import { whatsappStats } from '#contracts/whatsapp/reports.ts'
import { api } from '#web/api.ts'
import { exportFile } from '#web/export-file.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { type StatsFilter, statsQuery } from './queries.ts'

const tables = [
  { table: 'timeline', label: 'Over time' },
  { table: 'campaigns', label: 'By campaign' },
  { table: 'templates', label: 'By template' },
  { table: 'categories', label: 'Cost by category' },
  { table: 'countries', label: 'Cost by country' },
  { table: 'failures', label: 'Why messages failed' },
] as const

/** Each table of the page as a file, as the filters leave it. */
export function ExportMenu({ filter }: { filter: StatsFilter }) {
  const [busy, setBusy] = useState(false)
  async function download(table: (typeof tables)[number]['table']) {
    setBusy(true)
    const load = () => api(whatsappStats.export, { query: { ...statsQuery(filter), table } })
    await exportFile(load, `whatsapp-${table}.csv`)
    setBusy(false)
  }
  return (
    <Menu
      trigger={
        <Button busy={busy} icon={<Download aria-hidden="true" className="size-4" />}>
          Export CSV
        </Button>
      }
    >
      {tables.map(({ table, label }) => (
        <MenuItem key={table} onSelect={() => void download(table)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
