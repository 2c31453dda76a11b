import { Download } from 'lucide-react'
import { useState } from 'react'
import { type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { api } from '#web/api.ts'
import { exportFile } from '#web/export-file.ts'
import { Button } from '#web/ui/form/button.tsx'
import type { Wording } from '../kinds.ts'
import type { ResultQuery } from '../queries.ts'

interface ExportButtonsProps {
  job: CrawlJob
  wording: Wording
  filter: Omit<ResultQuery, 'sort' | 'order'>
  disabled: boolean
}

/** What the filter leaves, as a file. */
export function ExportButtons({ job, wording, filter, disabled }: ExportButtonsProps) {
  const [busy, setBusy] = useState<'csv' | 'xlsx' | null>(null)
  async function download(format: 'csv' | 'xlsx') {
    setBusy(format)
    const load = () => api(collector.export, { params: { id: job.id }, query: { format, ...filter } })
    await exportFile(load, `${wording.fileName}.${format}`)
    setBusy(null)
  }
  return (['csv', 'xlsx'] as const).map((format) => (
    <Button
      key={format}
      busy={busy === format}
      disabled={disabled || busy !== null}
      icon={<Download aria-hidden="true" className="size-4" />}
      onClick={() => download(format)}
    >
      Export {format.toUpperCase()}
    </Button>
  ))
}
