import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { accounts } from '#contracts/accounts/accounts.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

/** Follows the link as a click would: the browser writes the file as it comes, however large it is. */
function follow(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

/** Everything the product keeps of the user and the workspace, as one file. */
export function ExportCard() {
  const download = useMutation({
    mutationFn: () => api(accounts.exportLink),
    onSuccess: ({ url }) => {
      follow(url)
      toast.success('Download started. A large workspace takes a while.')
    },
    onError: (error) => toast.error(`The export failed. ${errorMessage(error)}`),
  })
  return (
    <Card
      title="Your data"
      description="Profile, sessions, lists, contacts, suppressions, templates, senders, campaigns, messages and events, as a ZIP archive of JSON files. Mail server passwords are not included."
    >
      <Button
        icon={<Download aria-hidden="true" className="size-4" />}
        busy={download.isPending}
        onClick={() => download.mutate()}
      >
        Download data
      </Button>
    </Card>
  )
}
