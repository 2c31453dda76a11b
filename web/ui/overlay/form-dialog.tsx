import { useId } from 'react'
import { FormBanner } from '../feedback/banner.tsx'
import { Button } from '../form/button.tsx'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  title: React.ReactNode
  /** One sentence under the title. */
  description?: React.ReactNode
  size?: 'sm' | 'md' | 'lg'
  /** A verb with its object: "Add suppression". */
  action: React.ReactNode
  busy: boolean
  /** While the form cannot be sent yet. */
  disabled?: boolean
  /** What went wrong with the whole form, over its first field. */
  error: string | null | undefined
  /** The browser's own submit is already prevented. */
  onSubmit: (event: React.FormEvent<HTMLFormElement>) => unknown
  onClose: () => void
  children: React.ReactNode
}

/** A form in a window over the page, with Cancel and one submit button that stay in view below it. It is open while it is rendered. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, size = 'md', action, busy, disabled = false, error, onSubmit, onClose, children } = props
  const id = useId()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      size={size}
      isForm
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} busy={busy} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="space-y-4 pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit(event)
        }}
      >
        <FormBanner error={error} />
        {children}
      </form>
    </Dialog>
  )
}
