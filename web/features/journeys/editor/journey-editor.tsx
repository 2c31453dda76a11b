import { Redo2, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Journey } from '#contracts/journeys/journeys.ts'
import { errorMessage } from '#web/api.ts'
import { ConflictBanner } from '#web/ui/feedback/conflict-banner.tsx'
import { SaveFailure, SaveState } from '#web/ui/feedback/save-state.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { NameField } from '#web/ui/form/name-field.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { tabClass } from '#web/ui/layout/tab-links.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { useMedia } from '#web/ui/lib/use-media.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { AutosaveLeaveDialog } from '#web/ui/overlay/leave-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { EnrollDialog } from '../enroll-dialog.tsx'
import { JourneyMenu } from '../journey-menu.tsx'
import { People } from '../people.tsx'
import { JourneyBadge } from '../states.tsx'
import { Flow } from './flow.tsx'
import { FlowProvider, type FlowState } from './flow-context.ts'
import { Overview } from './overview.tsx'
import { Panel } from './panel.tsx'
import { StateActions } from './state-actions.tsx'
import { type Editor, useEditor } from './use-editor.ts'
import { useFlowState } from './use-flow-state.tsx'

/** One journey on a page of its own: the flow with what is selected beside it, or its contacts. */
export function JourneyEditor({ journey }: { journey: Journey }) {
  const [search] = useSearchParams()
  const editor = useEditor(journey)
  const [name, setName] = useState(journey.name)
  const [isEnrolling, setEnrolling] = useState(false)
  // What is on the screen is what is edited, not what was saved last.
  const edited = { ...journey, definition: editor.definition }
  const { flow, setTrial, leaving, setLeaving, removeNow } = useFlowState(edited, editor)
  const isPeople = search.get('view') === 'contacts'
  const canEnroll = journey.state === 'active'
  return (
    <FlowProvider value={flow}>
      <FocusedPage
        fill
        exit={{ to: '/journeys', label: 'journeys' }}
        left={
          <>
            <h1 className="flex min-w-0">
              <NameField
                label="Journey name"
                value={name}
                readOnly={journey.state === 'archived'}
                onChange={(next) => {
                  setName(next)
                  editor.saving.change({ name: next })
                }}
              />
            </h1>
            <JourneyBadge state={journey.state} />
          </>
        }
        right={
          <>
            <span className="max-md:hidden">
              <SavingState editor={editor} />
            </span>
            <JourneyMenu journey={{ ...journey, name }} onRemoved={editor.saving.discard}>
              <TrialItems flow={flow} />
              {canEnroll && <MenuItem onSelect={() => setEnrolling(true)}>Enroll contacts</MenuItem>}
              <MenuSeparator />
            </JourneyMenu>
            <StateActions editor={editor} />
          </>
        }
      >
        {editor.conflict && (
          <ConflictBanner
            noun="journey"
            onMine={() => editor.keepMine(name)}
            onOther={async () => {
              try {
                setName((await editor.takeTheirs()).name)
              } catch (error) {
                toast.error(errorMessage(error))
              }
            }}
          >
            Keep yours to replace theirs. If you use theirs, undo brings your steps back.
          </ConflictBanner>
        )}
        {editor.saving.state === 'failed' && !editor.conflict && (
          <SaveFailure
            reason={errorMessage(editor.saving.error)}
            onRetry={() => void editor.saving.flush()}
            className="m-2"
          />
        )}
        <Toolbar flow={flow} editor={editor} isPeople={isPeople} onEnroll={() => setEnrolling(true)} />
        {isPeople ? (
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-5 sm:px-8">
            <People journey={edited} names={flow.names} onEnroll={canEnroll ? () => setEnrolling(true) : undefined} />
          </div>
        ) : (
          <div className="flex min-h-0 flex-1">
            <Canvas flow={flow} editor={editor} />
            <Panel editor={editor} onTrial={setTrial} />
          </div>
        )}
      </FocusedPage>
      <AutosaveLeaveDialog saving={editor.saving} />
      {isEnrolling && <EnrollDialog journey={journey} onClose={() => setEnrolling(false)} />}
      {leaving && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setLeaving(null)}
          title="Delete this step?"
          action="Delete step"
          onConfirm={async () => removeNow(leaving.id)}
        >
          {plural(leaving.waiting, 'contact')} {leaving.waiting === 1 ? 'waits' : 'wait'} here and{' '}
          {leaving.waiting === 1 ? 'leaves' : 'leave'} the journey with it. Undo brings the step back, not the contacts.
        </ConfirmDialog>
      )}
    </FlowProvider>
  )
}

function SavingState({ editor: { saving, isEditable, conflict } }: { editor: Editor }) {
  if (conflict || (!isEditable && saving.state === 'saved')) return null
  return (
    <SaveState
      state={saving.state}
      reason={saving.error ? errorMessage(saving.error) : undefined}
      onRetry={() => void saving.flush()}
    />
  )
}

function TrialItems({ flow: { show } }: { flow: FlowState }) {
  return (
    <>
      <MenuItem onSelect={() => show({ kind: 'simulate' })}>Simulate a contact</MenuItem>
      <MenuItem onSelect={() => show({ kind: 'replay' })}>Replay the past</MenuItem>
    </>
  )
}

interface ToolbarProps {
  flow: FlowState
  editor: Editor
  isPeople: boolean
  onEnroll: () => void
}

/** The two views of a journey, and what is tried on it. */
function Toolbar({ flow, editor, isPeople, onEnroll }: ToolbarProps) {
  const { journey, show, shown } = flow
  const page = `/journeys/${journey.id}`
  return (
    <div className="flex h-10 shrink-0 items-center gap-1 border-b bg-surface px-3 sm:px-4">
      <nav aria-label="Views" className="flex gap-1">
        <Link to={page} aria-current={isPeople ? undefined : 'page'} className={tabClass}>
          Flow
        </Link>
        <Link to={`${page}?view=contacts`} aria-current={isPeople ? 'page' : undefined} className={tabClass}>
          Contacts
          {journey.entered > 0 && <span className="text-muted tabular-nums">{formatNumber(journey.entered)}</span>}
        </Link>
      </nav>
      <span className="flex-1" />
      <span className="md:hidden">
        <SavingState editor={editor} />
      </span>
      {editor.isEditable && !isPeople && (
        <>
          <IconButton size="sm" label="Undo" disabled={!editor.canUndo} onClick={editor.undo}>
            <Undo2 aria-hidden="true" className="size-4" />
          </IconButton>
          <IconButton size="sm" label="Redo" disabled={!editor.canRedo} onClick={editor.redo} className="max-sm:hidden">
            <Redo2 aria-hidden="true" className="size-4" />
          </IconButton>
        </>
      )}
      {!isPeople && (
        <span className="flex gap-1 max-md:hidden">
          <Button
            size="sm"
            kind="quiet"
            aria-pressed={shown?.kind === 'simulate'}
            onClick={() => show({ kind: 'simulate' })}
          >
            Simulate
          </Button>
          <Button
            size="sm"
            kind="quiet"
            aria-pressed={shown?.kind === 'replay'}
            onClick={() => show({ kind: 'replay' })}
          >
            Replay
          </Button>
        </span>
      )}
      {journey.state === 'active' && (
        <Button size="sm" kind="quiet" className="max-md:hidden" onClick={onEnroll}>
          Enroll contacts
        </Button>
      )}
    </div>
  )
}

/** The flow, which scrolls both ways where branches make it wide; it begins in its middle. */
function Canvas({ flow, editor }: { flow: FlowState; editor: Editor }) {
  const place = useRef<HTMLDivElement>(null)
  const isWide = useMedia('(min-width: 1025px)')
  useEffect(() => {
    const element = place.current
    if (element) element.scrollLeft = (element.scrollWidth - element.clientWidth) / 2
  }, [])
  return (
    <div ref={place} className="min-w-0 flex-1 overflow-auto">
      {flow.trial && (
        <div className="sticky top-0 left-0 z-2 flex items-center justify-between gap-3 border-b border-accent-line bg-accent-soft px-4 py-1.5 text-sm text-ink">
          <span className="min-w-0 truncate">{flow.trial.title}</span>
          <Button size="sm" kind="quiet" onClick={flow.clearTrial}>
            Clear
          </Button>
        </div>
      )}
      {!isWide && (
        <div className="sticky left-0 max-w-2xl px-4 pt-4 md:mx-auto">
          <Overview />
        </div>
      )}
      <div className="px-4 py-6 md:mx-auto md:w-fit md:min-w-full md:px-6">
        <Flow steps={editor.definition.steps} />
      </div>
    </div>
  )
}
