import { useState } from 'react'
import type { User } from '#contracts/accounts/accounts.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { DeleteDialog } from './delete-dialog.tsx'

/** The way out. */
export function DeleteCard({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Delete account"
      description="Permanently deletes your account and everything in your workspace. Download your data first if you want to keep it."
      className="border-harm/35"
    >
      <Button kind="danger" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <DeleteDialog user={user} open={open} onOpenChange={setOpen} />
    </Card>
  )
}
