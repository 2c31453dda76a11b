import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { useLists, useSegments } from '#web/features/contacts/index.ts'

/** What lists and segments of a campaign are chosen by. */
export type AudienceIds = Pick<Campaign, 'listIds' | 'segmentIds' | 'excludeListIds' | 'excludeSegmentIds'>

/** The names of the lists and segments a campaign goes to, and of those it excludes; undefined until they are loaded. */
export function useAudienceNames(ids: AudienceIds): { to: string[]; except: string[] } | undefined {
  const lists = useLists().data
  const segments = useSegments().data
  if (!lists || !segments) return undefined
  const pick = (items: { id: string; name: string }[], chosen: string[]) =>
    items.filter(({ id }) => chosen.includes(id)).map(({ name }) => name)
  return {
    to: [...pick(lists.items, ids.listIds), ...pick(segments.items, ids.segmentIds)],
    except: [...pick(lists.items, ids.excludeListIds), ...pick(segments.items, ids.excludeSegmentIds)],
  }
}

/** "News and VIP, without Customers". */
export const describeAudience = ({ to, except }: { to: string[]; except: string[] }): string =>
  `${to.join(' and ')}${except.length > 0 ? `, without ${except.join(' and ')}` : ''}`
