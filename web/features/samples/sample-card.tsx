import type { SampleData } from '#contracts/samples/samples.ts'
import { channelPages } from '#web/channel-pages.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { useSampleChange, useSamples } from './queries.ts'

/** Adds sample data with one press, leads to it while it is there, and removes it with one. `isOffered`: also where there is none. */
export function SampleCard({ isOffered }: { isOffered: boolean }) {
  const { data } = useSamples()
  const { add, remove } = useSampleChange()
  if (!data || !(data.isPresent || isOffered)) return null
  const isChanging = add.isPending || remove.isPending
  return (
    <Card
      title={data.isPresent ? 'Sample data' : 'Explore with sample data'}
      description={
        data.isPresent
          ? 'It doesn’t count toward your plan or your figures, and is never sent to.'
          : 'See a campaign report, 40 contacts and a template before you add your own. You can remove them at any time.'
      }
      action={
        !data.isPresent && (
          <Button busy={add.isPending} disabled={isChanging} onClick={() => add.mutate()}>
            Add sample data
          </Button>
        )
      }
      className={data.isPresent ? undefined : 'pb-3'}
    >
      {data.isPresent && (
        <div className="flex flex-wrap gap-2">
          <Places samples={data} />
          <Button kind="quiet" busy={remove.isPending} disabled={isChanging} onClick={() => remove.mutate()}>
            Remove sample data
          </Button>
        </div>
      )}
    </Card>
  )
}

/** The ways to what there is of it. */
function Places({ samples: { campaignId, listId, templateId } }: { samples: SampleData }) {
  return (
    <>
      {campaignId && <ButtonLink to={`${channelPages.email.reports}/${campaignId}`}>View report</ButtonLink>}
      {listId && <ButtonLink to={`/contacts?list=${listId}`}>View contacts</ButtonLink>}
      {templateId && <ButtonLink to={`/editor/${templateId}`}>Open template</ButtonLink>}
    </>
  )
}
