import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { templates } from '#contracts/templates/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { keepWantedPage, takeWantedPage } from '#web/wanted-page.ts'
import { DemoBackend } from '../editor-backend.tsx'
import { forgetDemoDraft, readDemoDraft, storeDemoDraft } from './demo-draft.ts'
import { EditorScreen } from './editor-screen.tsx'
import { PhoneItems } from './more-menu.tsx'
import type { Edits } from './use-template-edits.ts'

type Starter = ResponseBody<typeof templates.starters>['items'][number]

const toEdits = ({ name, html, mjml }: Starter): Edits => ({ name, subject: '', html, mjml, text: '' })

interface DemoEditorProps {
  starter: Starter
  isSignedIn: boolean
}

/**
 * The editor on a starter, without an account: what is made stays in the browser. Saving makes it a template of the
 * workspace, after signing up where that is needed.
 */
export function DemoEditor({ starter, isSignedIn }: DemoEditorProps) {
  const [edits, setEdits] = useState(() => readDemoDraft(starter.id) ?? toEdits(starter))
  const [round, setRound] = useState(0)
  const { busy, isCarried, save } = useSaving(starter.id, isSignedIn)
  const change = (changes: Partial<Edits>) => {
    const next = { ...edits, ...changes }
    setEdits(next)
    storeDemoDraft(starter.id, next)
  }
  if (isCarried) return <Spinner className="py-24" />
  return (
    <DemoBackend>
      <EditorScreen
        key={round}
        exit={{ to: isSignedIn ? '/my-templates' : '/templates', label: 'templates' }}
        edits={edits}
        onChange={change}
        status={
          <span className="truncate text-sm text-muted max-wide:sr-only">Demo - stored in this browser only</span>
        }
        actions={(screen) => (
          <>
            <Menu
              trigger={
                <IconButton size="sm" label="More actions">
                  <MoreHorizontal aria-hidden="true" className="size-4" />
                </IconButton>
              }
            >
              <PhoneItems screen={screen} />
              <MenuItem
                onSelect={() => {
                  forgetDemoDraft()
                  setEdits(toEdits(starter))
                  setRound(round + 1)
                }}
              >
                Start over
              </MenuItem>
            </Menu>
            <Button size="sm" kind="primary" busy={busy} onClick={() => save(edits)}>
              Save template
            </Button>
          </>
        )}
      />
    </DemoBackend>
  )
}

/** Saves at once for who is signed in; otherwise signing up comes first, and back here it is saved. */
function useSaving(starter: string, isSignedIn: boolean) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { pathname, search } = useLocation()
  const [busy, setBusy] = useState(false)
  const [isCarried, setCarried] = useState(
    () => isSignedIn && new URLSearchParams(search).get('save') === '1' && readDemoDraft(starter) !== null,
  )
  const create = useCallback(
    async (edits: Edits) => {
      setBusy(true)
      try {
        const { id } = await api(templates.create, { body: { ...edits, name: edits.name.trim() || 'New template' } })
        forgetDemoDraft()
        void queries.invalidateQueries({ queryKey: ['templates'], exact: true })
        await navigate(`/editor/${id}`, { replace: true })
      } catch (error) {
        toast.error(`The template was not saved. ${errorMessage(error)}`)
        setBusy(false)
        setCarried(false)
      }
    },
    [navigate, queries],
  )
  const begun = useRef(false)
  useEffect(() => {
    const draft = isCarried ? readDemoDraft(starter) : null
    if (!draft || begun.current) return
    begun.current = true
    takeWantedPage()
    void create(draft)
  }, [isCarried, starter, create])

  const save = async (edits: Edits) => {
    if (isSignedIn) return create(edits)
    storeDemoDraft(starter, edits)
    keepWantedPage(`${pathname}?save=1`)
    await navigate('/signup', { state: { from: { pathname, search: '?save=1' } } })
  }
  return { busy, isCarried, save }
}
