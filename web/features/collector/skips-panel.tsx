import type { SkipReason } from '#contracts/collector.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { SourceLink } from '#web/ui/source-link.tsx'
import { useSkips } from './queries.ts'
import { skipWords } from './words.ts'

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
