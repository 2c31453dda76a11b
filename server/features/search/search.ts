import { RESULTS_OF_A_KIND, type SearchResults } from '#contracts/search/search.ts'
import { findCampaigns } from '#server/features/campaigns/index.ts'
import { listContacts } from '#server/features/contacts/index.ts'
import { findJourneys } from '#server/features/journeys/index.ts'
import { findTemplates } from '#server/features/templates/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What of a workspace holds a text: contacts by name, address and phone, campaigns and templates by name and subject, journeys by name. */
export async function searchWorkspace(db: Db, workspaceId: string, q: string): Promise<SearchResults> {
  const limit = RESULTS_OF_A_KIND
  const [contacts, campaigns, templates, journeys] = await Promise.all([
    listContacts(db, workspaceId, { q, limit, sort: '-createdAt' }),
    findCampaigns(db, workspaceId, q, limit),
    findTemplates(db, workspaceId, q, limit),
    findJourneys(db, workspaceId, q, limit),
  ])
  return {
    contacts: contacts.items.map(({ id, name, email, phone, source }) => ({
      ...{ id, name, email, phone },
      isSample: source === 'sample',
    })),
    campaigns: campaigns as SearchResults['campaigns'],
    templates,
    journeys,
  }
}
