import { Download } from 'lucide-react'
import { useState } from 'react'
import { type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
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
    try {
      const response = await api(collector.export, { params: { id: job.id }, query: { format, ...filter } })
      await saveFile(response, `${wording.fileName}.${format}`)
    } catch (error) {
      toast.error(`The export failed. ${errorMessage(error)}`)
    } finally {
      setBusy(null)
    }
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
