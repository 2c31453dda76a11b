import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { useNumbers } from './queries.ts'

/** Narrows a page to one of the workspace's numbers (`?number=`). Shows nothing where there is no choice. */
export function NumberFilter({ className }: { className?: string }) {
  const numbers = useNumbers().data?.items ?? []
  if (numbers.length < 2) return null
  return (
    <UrlSelect
      param="number"
      label="Number"
      all="All numbers"
      {...(className && { className })}
      options={numbers.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
