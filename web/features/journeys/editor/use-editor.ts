import { useEffect, useMemo, useRef } from 'react'
import type { JourneyDefinition, JourneyStep } from '#contracts/journeys/definition.ts'
import { type Journey, journeys } from '#contracts/journeys/journeys.ts'
import { api, isConflict, isVersionConflict } from '#web/api.ts'
import { useAutosave } from '#web/ui/lib/use-autosave.ts'
import { useHistory, useUndoKeys } from '#web/ui/lib/use-history.ts'
import { useRefreshJourney, useStoreJourney } from '../queries.ts'

export type Editor = ReturnType<typeof useEditor>

/**
 * The definition while it is edited, with undo. Every change is saved by itself: a click at once, text a moment after the
 * last key, and never over what somebody else saved since. While the journey is active or archived nothing changes it.
 */
export function useEditor(journey: Journey) {
  const store = useStoreJourney()
  const refresh = useRefreshJourney()
  const isEditable = journey.state === 'draft' || journey.state === 'paused'
  // Of which version what is on the screen is a change; undefined: of whatever is stored.
  const version = useRef<number | undefined>(journey.version)
  const saving = useAutosave<{ name: string; definition: JourneyDefinition }>(async ({ name, definition }) => {
    const body = { ...(name?.trim() && { name }), ...(definition && { definition }) }
    if (Object.keys(body).length === 0) return
    const known = version.current === undefined ? body : { ...body, version: version.current }
    const saved = await api(journeys.update, { params: { id: journey.id }, body: known }).catch((error) => {
      // It was activated or archived elsewhere: the screen shows that, and what can be done about it.
      if (isConflict(error) && !isVersionConflict(error)) refresh(journey.id)
      throw error
    })
    version.current = saved.version
    store(saved)
  }, 600)
  const history = useHistory(JSON.stringify(journey.definition), (text) =>
    saving.change({ definition: JSON.parse(text) as JourneyDefinition }),
  )
  const stored = JSON.stringify(journey.definition)
  const wasEditable = useRef(isEditable)
  useEffect(() => {
    // Somebody else may have changed it while it could not be edited here.
    if (!isEditable || !wasEditable.current) version.current = journey.version
    if (isEditable && !wasEditable.current && stored !== history.text) history.change(stored)
    wasEditable.current = isEditable
  }, [isEditable, stored, history, journey.version])
  const text = isEditable ? history.text : stored
  const definition = useMemo(() => JSON.parse(text) as JourneyDefinition, [text])
  const undo = () => {
    history.undo()
    void saving.flush()
  }
  const redo = () => {
    history.redo()
    void saving.flush()
  }
  useUndoKeys(isEditable, undo, redo)

  /** Saves all that is on the screen over what somebody else saved since. */
  const keepMine = async (name: string) => {
    version.current = undefined
    saving.change({ name, ...(isEditable && { definition: JSON.parse(history.text) as JourneyDefinition }) })
    await saving.flush()
  }
  /** Takes what somebody else saved, which is not saved again: they go on from it. Undo brings back the steps that were here. Returns it. */
  const takeTheirs = async () => {
    const other = await api(journeys.get, { params: { id: journey.id } })
    version.current = other.version
    history.change(JSON.stringify(other.definition))
    saving.discard()
    store(other)
    return other
  }
  const conflict = saving.state === 'failed' && isVersionConflict(saving.error)

  /** Changes parts of the definition; with a `typing` key the changes of one field that follow each other are one step back. */
  function change(changes: Partial<JourneyDefinition>, typing?: string) {
    if (!isEditable) return
    history.change(JSON.stringify({ ...definition, ...changes }), typing)
    if (typing === undefined) void saving.flush()
  }
  const changeSteps = (steps: JourneyStep[], typing?: string) => change({ steps }, typing)
  const { canUndo, canRedo } = history
  const shown = { definition, isEditable, canUndo, canRedo, conflict }
  return { ...shown, change, changeSteps, undo, redo, keepMine, takeTheirs, saving }
}
