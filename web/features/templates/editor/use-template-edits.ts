import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Template, templates } from '#contracts/templates/templates.ts'
import { api, isVersionConflict } from '#web/api.ts'
import { storeResult } from '#web/query.ts'
import { useAutosave } from '#web/ui/lib/use-autosave.ts'

export type Edits = Pick<Template, 'name' | 'subject' | 'html' | 'mjml' | 'text'>

const toEdits = ({ name, subject, html, mjml, text }: Template): Edits => ({ name, subject, html, mjml, text })

/**
 * What is being written of a template. It saves shortly after typing rests and on Ctrl+S, and never over what somebody else
 * wrote since: then `conflict` is true until one of the two ways out is taken. Both states stay among the versions.
 */
export function useTemplateEdits(template: Template) {
  const queries = useQueryClient()
  const [edits, setEdits] = useState<Edits>(() => toEdits(template))
  const [round, setRound] = useState(0)
  const version = useRef<number | undefined>(template.version)

  const take = useCallback(
    (saved: Template) => {
      version.current = saved.version
      storeResult(queries, ['templates', template.id], saved)
      void queries.invalidateQueries({ queryKey: ['templates'], exact: true })
      void queries.invalidateQueries({ queryKey: ['template-versions', template.id] })
    },
    [queries, template.id],
  )
  const saving = useAutosave<Edits>(async (changes) => {
    // A name may be empty while it is being typed, but not when it is saved.
    const { name, ...rest } = changes
    const body = name === undefined || name.trim() === '' ? rest : { ...rest, name }
    const known = version.current === undefined ? body : { ...body, version: version.current }
    take(await api(templates.update, { params: { id: template.id }, body: known }))
  })
  const { flush } = saving
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      void flush()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [flush])

  const change = (changes: Partial<Edits>) => {
    setEdits((old) => ({ ...old, ...changes }))
    saving.change(changes)
  }
  /** Shows a state the server has; the editors begin anew with it. */
  const show = (saved: Template) => {
    take(saved)
    setEdits(toEdits(saved))
    setRound((count) => count + 1)
  }
  /** Saves over what the other one wrote, which stays among the versions. */
  const keepMine = async () => {
    version.current = undefined
    saving.change({ ...edits })
    await flush()
  }
  /** Takes what the other one wrote; what was written here stays among the versions. */
  const takeTheirs = async () => {
    const other = await api(templates.get, { params: { id: template.id } })
    await keepMine()
    show(await api(templates.update, { params: { id: template.id }, body: toEdits(other) }))
  }
  const conflict = saving.state === 'failed' && isVersionConflict(saving.error)
  return { edits, change, saving, round, show, conflict, keepMine, takeTheirs }
}
