import { ContactRound, History, LayoutTemplate, type LucideIcon, Send, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { SearchResults } from '#contracts/search/search.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { type CommandGroup, CommandList } from '#web/ui/overlay/command-list.tsx'
import { campaignNote, journeyNote } from './labels.ts'
import { findMatches } from './match.ts'
import { useSearchResults } from './queries.ts'
import { type Recent, readRecents, rememberRecent } from './recents.ts'

/** What the palette offers besides what is found: a place to go, or something to do. */
export interface PaletteCommand {
  label: string
  /** Other words it is found by. */
  keywords?: string
  group: 'Go to' | 'Create' | 'Actions'
  icon: LucideIcon
  to?: string
  /** Passed on with the address. */
  state?: unknown
  run?: () => void
}

interface Choice {
  id: string
  label: string
  note?: string
  icon: React.ReactNode
  to?: string
  state?: unknown
  run?: () => void
}

const GROUPS = ['Create', 'Go to', 'Actions'] as const
const toIcon = (Icon: LucideIcon) => <Icon aria-hidden="true" />

const toChoice = ({ icon, keywords, group, ...command }: PaletteCommand): Choice => ({
  ...command,
  id: `${group} ${command.label}`,
  icon: toIcon(icon),
})

/** What was found on the server, each kind in a group. */
function toGroups({ contacts, campaigns, templates, journeys }: SearchResults): CommandGroup<Choice>[] {
  return [
    {
      label: 'Contacts',
      items: contacts.map(({ id, name, email, phone, isSample }) => ({
        id: `contact ${id}`,
        label: name || email || phone || 'Contact',
        ...(name && { note: isSample ? `Sample · ${email}` : (email ?? phone ?? '') }),
        icon: toIcon(ContactRound),
        to: `/contacts/${id}`,
      })),
    },
    {
      label: 'Campaigns',
      items: campaigns.map((campaign) => ({
        id: `campaign ${campaign.id}`,
        label: campaign.name,
        note: campaignNote(campaign),
        icon: toIcon(Send),
        to: campaignLink(campaign),
      })),
    },
    {
      label: 'Templates',
      items: templates.map(({ id, name }) => ({
        id: `template ${id}`,
        label: name,
        icon: toIcon(LayoutTemplate),
        to: `/editor/${id}`,
      })),
    },
    {
      label: 'Journeys',
      items: journeys.map((journey) => ({
        id: `journey ${journey.id}`,
        label: journey.name,
        note: journeyNote(journey),
        icon: toIcon(Waypoints),
        to: `/journeys/${journey.id}`,
      })),
    },
  ]
}

const toRecentChoice = (recent: Recent): Choice => ({ ...recent, id: `recent ${recent.to}`, icon: toIcon(History) })

interface PaletteProps {
  userId: string
  commands: PaletteCommand[]
  /** Offers only what can be created. */
  creating: boolean
  onClose: () => void
}

/** Go anywhere, do anything, find what is yours, without leaving the keys. */
export function Palette({ userId, commands, creating, onClose }: PaletteProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const settled = useDebounced(text, 150)
  const offered = creating ? commands.filter(({ group }) => group === 'Create') : commands
  const results = useSearchResults(creating ? '' : settled)
  const isSearching = text.trim() !== ''
  const matching = isSearching ? findMatches(offered, text) : offered
  const groups: CommandGroup<Choice>[] = [
    { label: 'Recent', items: isSearching || creating ? [] : readRecents(userId).map(toRecentChoice) },
    ...(isSearching
      ? [{ label: 'Pages and actions', items: matching.map(toChoice) }]
      : GROUPS.map((label) => ({
          label,
          items: matching.filter(({ group }) => group === label).map(toChoice),
        }))),
    ...(isSearching && !creating && settled.trim().length >= 2 && results.data ? toGroups(results.data) : []),
  ].filter(({ items }) => items.length > 0)

  function choose({ to, state, run, label, note }: Choice) {
    onClose()
    run?.()
    if (to === undefined) return
    rememberRecent(userId, { to, label, ...(note && { note }) })
    void navigate(to, { state })
  }

  const busy = isSearching && !creating && (results.isFetching || settled !== text)
  return (
    <CommandList
      title={creating ? 'Create' : 'Command palette'}
      placeholder={creating ? 'What do you want to create?' : 'Search or jump to…'}
      text={text}
      onText={setText}
      groups={groups}
      busy={busy}
      empty={
        busy
          ? 'Searching…'
          : results.isError && !creating
            ? 'Contacts, campaigns, templates and journeys could not be searched. Try again in a moment.'
            : 'No results'
      }
      onChoose={choose}
      onClose={onClose}
    />
  )
}
