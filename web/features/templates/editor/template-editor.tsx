import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Template } from '#contracts/templates/templates.ts'
import { errorMessage } from '#web/api.ts'
import { ConflictBanner } from '#web/ui/feedback/conflict-banner.tsx'
import { SaveFailure, SaveState } from '#web/ui/feedback/save-state.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { AutosaveLeaveDialog } from '#web/ui/overlay/leave-dialog.tsx'
import { EditorScreen } from './editor-screen.tsx'
import { MoreMenu } from './more-menu.tsx'
import { findReturnPath } from './return-path.ts'
import { SendTest } from './send-test.tsx'
import { useTemplateEdits } from './use-template-edits.ts'

/** A template of the workspace on the whole screen. Done saves and leads back to where the editor was opened. */
export function TemplateEditor({ template }: { template: Template }) {
  const { edits, change, saving, round, show, conflict, keepMine, takeTheirs } = useTemplateEdits(template)
  const { search } = useLocation()
  const navigate = useNavigate()
  const back = useMemo(() => findReturnPath(search), [search])
  return (
    <>
      <EditorScreen
        key={round}
        exit={{ to: back, label: back === '/my-templates' ? 'templates' : 'the campaign' }}
        edits={edits}
        onChange={change}
        status={
          <SaveState
            state={saving.state}
            reason={saving.error ? errorMessage(saving.error) : undefined}
            onRetry={() => void saving.flush()}
          />
        }
        notice={
          conflict ? (
            <ConflictBanner noun="template" onMine={keepMine} onOther={takeTheirs}>
              The version you don’t choose is kept in your versions.
            </ConflictBanner>
          ) : (
            saving.state === 'failed' && (
              <SaveFailure reason={errorMessage(saving.error)} onRetry={() => void saving.flush()} className="m-2" />
            )
          )
        }
        actions={(screen) => (
          <>
            <span className="max-md:hidden">
              <SendTest id={template.id} flush={saving.flush} {...screen} />
            </span>
            <MoreMenu id={template.id} screen={screen} flush={saving.flush} onRestored={show} />
            <Button
              size="sm"
              kind="primary"
              onClick={async () => {
                if (await saving.flush()) await navigate(back)
              }}
            >
              Done
            </Button>
          </>
        )}
      />
      <AutosaveLeaveDialog saving={saving} />
    </>
  )
}
