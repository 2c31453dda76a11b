/** Opens and clicks of emails that say nothing of their recipients: a request adds to numbers, and no row tells of it. */
import type { Log } from '#server/platform/log.ts'
import { createBatches } from '../batches.ts'
import type { Verdict } from '../classify.ts'
import type { Dimension } from '../rollups/figures.ts'
import type { Run } from '../statements.ts'
import { type Addition, addTotals, findTargets, findWorkspaces, type LinkPlace, linkKey } from './totals-store.ts'

/** A request for a pixel or a link. */
export interface NewTotal {
  campaignId: string
  kind: 'open' | 'click'
  /** 0 of a pixel. */
  link: number
  /** Milliseconds. */
  at: number
  /** By itself: what else one reader did is unknown. */
  class: Verdict['class']
}

const HOUR_MS = 3_600_000

/** The rows a request adds to. */
function toDimensions({ kind, link, at, class: by }: NewTotal): [Dimension, number][] {
  const isHuman = by === 'human'
  const hour = Math.floor(at / HOUR_MS)
  return [
    [isHuman ? kind : `${kind}-machine`, 0],
    [isHuman ? `hour-${kind}` : 'hour-machine', hour],
    ...(kind === 'click' ? [[isHuman ? 'link' : 'link-machine', link] as [Dimension, number]] : []),
  ]
}

/** The links that were clicked, each once. */
function listClicked(items: NewTotal[], workspaces: Map<string, string>): LinkPlace[] {
  const clicked = new Map<string, LinkPlace>()
  for (const { kind, campaignId, link } of items) {
    const workspaceId = workspaces.get(campaignId)
    if (kind === 'click' && workspaceId !== undefined)
      clicked.set(linkKey(campaignId, link), { workspaceId, campaignId, link })
  }
  return [...clicked.values()]
}

/** Writes many requests in one statement. Returns the destinations of clicks by position; a campaign or link that is not there is skipped. */
async function write(run: Run, items: NewTotal[]): Promise<Map<number, string>> {
  const ids = [...new Set(items.map(({ campaignId }) => campaignId))]
  const workspaces = await findWorkspaces(run, ids)
  const targets = await findTargets(run, listClicked(items, workspaces))
  const additions = new Map<string, Addition>()
  const found = new Map<number, string>()
  for (const [n, item] of items.entries()) {
    const workspaceId = workspaces.get(item.campaignId)
    const url = item.kind === 'click' ? targets.get(linkKey(item.campaignId, item.link)) : ''
    if (workspaceId === undefined || url === undefined) continue
    found.set(n, url)
    for (const [dimension, number] of toDimensions(item)) {
      const key = `${item.campaignId} ${dimension} ${number}`
      const row = additions.get(key)
      if (row) row.total++
      else additions.set(key, { workspace_id: workspaceId, campaign_id: item.campaignId, dimension, number, total: 1 })
    }
  }
  await addTotals(run, [...additions.values()])
  return found
}

/** Counts requests durably, many in one statement. */
export function createTotals(run: Run, log: Pick<Log, 'error' | 'warn'>) {
  const batches = createBatches<NewTotal, string>((items) => write(run, items), log)
  return {
    /**
     * Resolves once it is counted, with where a click leads ('' of an open); undefined: there is no such campaign or link; 'refused':
     * too many wait. Rejects when the database is lost.
     */
    add: (item: NewTotal) => batches.add(item),
    /** Where a link leads, nothing counted. */
    findDestination: async (campaignId: string, link: number): Promise<string | undefined> => {
      const workspaceId = (await findWorkspaces(run, [campaignId])).get(campaignId)
      if (workspaceId === undefined) return undefined
      return (await findTargets(run, [{ workspaceId, campaignId, link }])).get(linkKey(campaignId, link))
    },
    idle: () => batches.idle(),
  }
}
