import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'

export type StatsTable = 'timeline' | 'campaigns' | 'templates' | 'failures' | 'categories' | 'countries'

type Cell = string | number | null

/** How the steps of a timeline are written: days as dates of their zone, hours as moments. */
interface Steps {
  step: 'hour' | 'day'
  timeZone: string
}

/** A Swedish date is an ISO one. */
function createStepFormat({ step, timeZone }: Steps): (at: string) => string {
  if (step === 'hour') return (at) => at
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone })
  return (at) => days.format(new Date(at))
}

function buildTableRows(stats: WhatsAppStats, table: StatsTable, steps: Steps): [header: string[], ...rows: Cell[][]] {
  const cost = `cost estimate ${stats.cost.currency}, prices of ${stats.cost.pricesOf}`
  switch (table) {
    case 'timeline': {
      const named = createStepFormat(steps)
      return [
        [
          steps.step === 'day' ? 'day' : 'time',
          'handed over',
          'sent',
          'delivered',
          'read',
          'failed',
          'received',
          'opted out',
        ],
        ...stats.timeline.map((row) => [
          named(row.at),
          row.tried,
          row.sent,
          row.delivered,
          row.read,
          row.failed,
          row.received,
          row.optedOut,
        ]),
      ]
    }
    case 'campaigns':
      return [
        ['campaign', 'handed over', 'sent', 'delivered', 'read', 'replied', 'failed', cost],
        ...stats.campaigns.map((row) => [
          row.name,
          row.tried,
          row.sent,
          row.delivered,
          row.read,
          row.replied,
          row.failed,
          row.cost,
        ]),
      ]
    case 'templates':
      return [
        ['template', 'handed over', 'sent', 'delivered', 'read', 'failed', cost],
        ...stats.templates.map((row) => [row.name, row.tried, row.sent, row.delivered, row.read, row.failed, row.cost]),
      ]
    case 'failures':
      return [
        ['code', 'reason', 'messages'],
        ...stats.failures.map(({ code, reason, messages }) => [code, reason, messages]),
      ]
    case 'categories':
      return [
        ['category', 'messages', cost],
        ...stats.cost.byCategory.map((row) => [row.category, row.messages, row.cost]),
      ]
    default:
      return [
        ['country', 'messages', cost],
        ...stats.cost.byCountry.map((row) => [row.country, row.messages, row.cost]),
      ]
  }
}

/** One of the figures' tables as rows, the first the header; what is unknown stays empty. */
export function statsRows(stats: WhatsAppStats, table: StatsTable, steps: Steps): string[][] {
  return buildTableRows(stats, table, steps).map((cells) => cells.map((cell) => (cell === null ? '' : String(cell))))
}
