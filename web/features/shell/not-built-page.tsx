import { useLocation } from 'react-router'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChartDrawing, FlightDrawing, PeopleDrawing, SearchDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

interface Tool {
  title: string
  /** What it will do, in one sentence. */
  will: string
  drawing: React.ReactNode
}

const tools: Record<string, Tool> = {
  '/whatsapp-sender': {
    title: 'WhatsApp Sender',
    will: 'It will send approved WhatsApp templates to people who agreed to hear from you, and keep their answers in one place.',
    drawing: <FlightDrawing />,
  },
  '/gmail-sender': {
    title: 'Gmail Sender',
    will: 'It will send campaigns from your own Gmail address, within the limits Google sets.',
    drawing: <FlightDrawing />,
  },
  '/email-scraper': {
    title: 'Email Scraper',
    will: 'It will read public web pages you name, politely, and list the addresses on them with the page each was found on.',
    drawing: <SearchDrawing />,
  },
  '/number-scraper': {
    title: 'Number Scraper',
    will: 'It will read public web pages you name, politely, and list the phone numbers on them with the page each was found on.',
    drawing: <PeopleDrawing />,
  },
  '/gmail-analytics': {
    title: 'Gmail Open Rate',
    will: 'It will show how many people opened what you sent through Gmail, with machine opens counted apart.',
    drawing: <ChartDrawing />,
  },
  '/gmail-link': {
    title: 'Gmail Click Rate',
    will: 'It will show which links in your Gmail campaigns were clicked, by people and by machines apart.',
    drawing: <ChartDrawing />,
  },
}

export const meta = ({ location }: { location: { pathname: string } }) => [
  { title: `${tools[location.pathname]?.title ?? 'Not here yet'} · Postlark` },
]

/** A tool that has its place in the sidebar and is not part of this installation yet: says what it will do, and no more. */
export default function NotBuiltPage() {
  const tool = tools[useLocation().pathname.replace(/\/$/, '')]
  if (!tool) return null
  return (
    <>
      <PageHeader title={tool.title} />
      <Card>
        <EmptyState
          drawing={tool.drawing}
          title="This installation does not have it yet"
          action={<ButtonLink to="/dashboard">Back to the dashboard</ButtonLink>}
        >
          {tool.will}
        </EmptyState>
      </Card>
    </>
  )
}
