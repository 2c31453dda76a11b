import { useLocation } from 'react-router'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChartDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type Tool, tools } from './tools.ts'

/** Tools whose place is kept, by address, with a picture of what will be there. */
const planned: Record<string, Pick<Tool, 'label' | 'does'> & { drawing: React.ReactNode }> = {
  '/gmail-analytics': { ...tools.gmailOpenRate, drawing: <ChartDrawing /> },
  '/gmail-link': { ...tools.gmailClickRate, drawing: <ChartDrawing /> },
}

export const meta = ({ location }: { location: { pathname: string } }) => [
  { title: `${planned[location.pathname]?.label ?? 'Not here yet'} · Postlark` },
]

/** A tool that has its place in the sidebar and is not part of this installation yet: says what it is for, and no more. */
export default function NotBuiltPage() {
  const tool = planned[useLocation().pathname.replace(/\/$/, '')]
  if (!tool) return null
  return (
    <>
      <PageHeader title={tool.label} />
      <Card>
        <EmptyState
          drawing={tool.drawing}
          title="This installation does not have it yet"
          action={<ButtonLink to="/dashboard">Back to the dashboard</ButtonLink>}
        >
          What it is for: {tool.does.charAt(0).toLowerCase()}
          {tool.does.slice(1)}
        </EmptyState>
      </Card>
    </>
  )
}
