import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { BrandForm } from './brand-dialog.tsx'
import { ImagesCard } from './images-card.tsx'
import { useBrand } from './queries.ts'

export const meta = () => [{ title: 'Brand and images · Postlark' }]

/** What every email of the workspace shares: its colors and fonts, and its images. */
export default function BrandPage() {
  const brand = useBrand()
  return (
    <>
      <PageHeader title="Brand and images" description="Colors, fonts and images you can use in every email." />
      <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <Card title="Brand" description="Applied to new templates.">
          {brand.data ? (
            <BrandForm initial={brand.data} />
          ) : brand.isError ? (
            <ErrorState title="Your brand could not be loaded" error={brand.error} onRetry={() => brand.refetch()} />
          ) : (
            <Skeleton className="h-64" />
          )}
        </Card>
        <ImagesCard />
      </div>
    </>
  )
}
