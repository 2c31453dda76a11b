import { useParams } from 'react-router'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { useTemplate } from './queries.ts'
import { TemplateEditor } from './template-editor.tsx'

export const meta = () => [{ title: 'Template · Postlark' }]

export default function TemplatePage() {
  return (
    <FocusedPage exit={{ to: '/my-templates', label: 'templates' }}>
      <OpenTemplate />
    </FocusedPage>
  )
}

function OpenTemplate() {
  const { id = '' } = useParams()
  const template = useTemplate(id)
  if (template.isError && !template.data)
    return (
      <ErrorState title="The template could not be opened" error={template.error} onRetry={() => template.refetch()} />
    )
  if (!template.data)
    return (
      <div role="status" aria-label="Loading...">
        <Skeleton className="mb-4 h-9 w-72" />
        <Skeleton className="h-[32rem] w-full rounded-card" />
      </div>
    )
  return <TemplateEditor key={id} template={template.data} />
}
