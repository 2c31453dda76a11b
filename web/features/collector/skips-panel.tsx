import type { SkipReason } from '#contracts/collector/collector.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { SourceLink } from '#web/ui/layout/source-link.tsx'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { skipWords } from './labels.ts'
import { useSkips } from './queries.ts'

/** The pages that were not read for one reason, each with its own words. */
export function SkipsPanel({ jobId, reason, onClose }: { jobId: string; reason: SkipReason; onClose: () => void }) {
  const skips = useSkips(jobId, reason)
  const items = skips.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title={skipWords[reason].label}
      description={skipWords[reason].text}
    >
      {skips.isPending && <SkeletonRows rows={4} />}
      {skips.isError && items.length === 0 && (
        <ErrorState title="The pages could not be listed" error={skips.error} onRetry={() => skips.refetch()} />
      )}
      <ul className="divide-y">
        {items.map((skip, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an address may stand there twice, and none ever moves
          <li key={index} className="py-2.5">
            <SourceLink url={skip.url} title="" className="text-base" />
            {skip.text && <p className="text-sm wrap-anywhere text-muted">{skip.text}</p>}
          </li>
        ))}
      </ul>
      {skips.hasNextPage && (
        <Button className="mt-3 w-full" busy={skips.isFetchingNextPage} onClick={() => skips.fetchNextPage()}>
          Show more
        </Button>
      )}
    </SidePanel>
  )
}
