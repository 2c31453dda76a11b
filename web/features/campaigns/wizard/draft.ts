import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Location, useSearchParams } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api } from '#web/api.ts'
import { storeResult } from '#web/query.ts'
import { useAutosave } from '#web/ui/lib/use-autosave.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { useChannel } from '../channels/index.ts'
import { useCampaign } from '../queries.ts'
import { followSubject, startChoices, type WizardChoices, wasTrimmed } from './choices.ts'

const NOTHING = {}

export type Draft = ReturnType<typeof useDraft>

/** Whether the wizard is gone or being left. A change of its address would then undo the leaving. */
function useLeaving() {
  const state = useRef({ isMounted: true, isLeaving: false })
  useEffect(() => {
    const { current } = state
    current.isMounted = true
    return () => {
      current.isMounted = false
    }
  }, [])
  const isLeft = () => !state.current.isMounted || state.current.isLeaving
  const leaveAfter = useCallback(async (save: () => Promise<boolean>, stays: AbortSignal) => {
    state.current.isLeaving = true
    stays.addEventListener('abort', () => {
      state.current.isLeaving = false
    })
    try {
      return await save()
    } finally {
      state.current.isLeaving = false
    }
  }, [])
  return { isLeft, leaveAfter }
}

/**
 * The campaign being made: `?id=` names it, the first change creates it, every field is saved by itself.
 * What two tabs change in different fields stays from both, because only what changed is sent. `suggested`: chosen in a new
 * draft until something else is; saved with its first change.
 */
export function useDraft(suggested: Partial<WizardChoices> = NOTHING) {
  const [search, setSearch] = useSearchParams()
  const channel = useChannel()
  const queries = useQueryClient()
  const idInAddress = search.get('id') ?? ''
  // A draft just created, until the address names it: in between, what was chosen must not look unanswered.
  const [created, setCreated] = useState('')
  const id = idInAddress || created
  const query = useCampaign(id)
  const [blank] = useState(() => startChoices(channel.blankChoices))
  const [edits, setEdits] = useState<Partial<WizardChoices>>({})
  const known = useRef(idInAddress)
  const { isLeft, leaveAfter } = useLeaving()

  // An address changes a moment after it was asked to: the draft's id and the next step, asked for at once, must not undo
  // each other, so both are stored here.
  const shown = useRef('')
  const step = useRef(search.get('step') ?? '')
  useEffect(() => {
    step.current = search.get('step') ?? ''
  }, [search])
  const place = () =>
    withParam(withParam(new URLSearchParams(window.location.search), 'id', known.current), 'step', step.current)

  // Another draft was opened, or a new one begun.
  useEffect(() => {
    setCreated('')
    if (known.current === idInAddress) return
    known.current = idInAddress
    setEdits({})
  }, [idInAddress])

  const saving = useAutosave<WizardChoices>(async (changes) => {
    const { name, ...rest } = changes
    const body = name === undefined || name.trim() === '' ? rest : { ...rest, name }
    let saved: Campaign
    const before = known.current
    if (before) saved = await api(campaigns.update, { params: { id: before }, body })
    else {
      saved = await api(campaigns.create, {
        body: { name: blank.name, ...withoutNull(suggested), ...body, channel: channel.id },
      })
      if (known.current === before) known.current = saved.id
    }
    storeResult(queries, ['campaigns', saved.id], saved)
    void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
    // Another draft was opened meanwhile, and has edits of its own.
    if (known.current !== saved.id) return
    if (!idInAddress) setCreated(saved.id)
    setEdits((old) =>
      Object.fromEntries(
        Object.entries(old).filter(([key, value]) => {
          const name = key as keyof WizardChoices
          return changes[name] !== value || wasTrimmed(value, saved[name as keyof Campaign])
        }),
      ),
    )
    if (idInAddress || isLeft()) return
    step.current ||= shown.current
    setSearch(place(), { replace: true, preventScrollReset: true })
  }, 500)

  /** Shows another step. */
  function turnTo(next: string) {
    void saving.flush()
    step.current = next
    setSearch(place())
  }

  /** Changes fields. A click is saved at once, text half a second after the last key. */
  function change(given: Partial<WizardChoices>, typing = false) {
    const { subject } = given
    const createdAt = query.data?.createdAt ?? new Date().toISOString()
    const name = subject === undefined ? undefined : followSubject(choices, subject, createdAt)
    const changes = name === undefined ? given : { name, ...given }
    setEdits((old) => ({ ...old, ...changes }))
    saving.change(changes)
    if (!typing) void saving.flush()
  }

  const { name, listIds, segmentIds, excludeListIds, excludeSegmentIds } = query.data ?? blank
  const shared = { name, listIds, segmentIds, excludeListIds, excludeSegmentIds }
  const saved = query.data ? channel.readChoices(query.data) : { ...blank, ...suggested }
  const choices: WizardChoices = { ...saved, ...shared, ...edits }
  /** The draft's id, made now if there is none yet: for what hangs on a draft, such as a file. Rejects with why it could not be. */
  async function ensure(): Promise<string> {
    if (!known.current) {
      saving.change({ name: choices.name })
      if (!(await saving.flush()) || !known.current) throw new Error('The draft could not be saved. Try again.')
    }
    return known.current
  }

  /** Notes which step is shown where the address names none: a draft being made stays there. */
  function stayAt(current: string) {
    shown.current = current
  }

  const { flush } = saving
  /** Saves before the wizard is left. Returns whether it is saved. */
  const leave = useCallback((stays: AbortSignal) => leaveAfter(flush, stays), [leaveAfter, flush])

  /** Whether an address shows this draft, at whichever step. */
  const isShownAt = (next: Location, current: Location) =>
    next.pathname === current.pathname && (new URLSearchParams(next.search).get('id') ?? '') === known.current

  return { id, query, choices, change, saving, ensure, turnTo, stayAt, leave, isShownAt }
}

/** What a new campaign is created with: it has nothing yet that null could take away. */
function withoutNull({ senderId, replyTo, whatsapp, ...rest }: Partial<WizardChoices>) {
  return { ...rest, ...(senderId && { senderId }), ...(replyTo && { replyTo }), ...(whatsapp && { whatsapp }) }
}
