import { Expand } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { CampaignEmail } from '#contracts/campaigns/report/report.ts'
import { EmailThumbnail, MailFrame } from '#web/features/templates/index.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { FactList, toAudienceFacts } from './fact-list.tsx'

/** The parameter of the address that opens the email. */
const VIEW = 'view'
export const EMAIL_VIEW = `?${VIEW}=email`

interface EmailSummaryProps {
  email: CampaignEmail | undefined
  failed: boolean
  /** The names of what it went to, and of what it excluded. */
  audience?: { to: string[]; except: string[] } | undefined
}

/** The email that was sent, small, with subject, sender, lists and segments; pressing it opens it large. */
export function EmailSummary({ email, failed, audience }: EmailSummaryProps) {
  const [search, setSearch] = useSearchParams()
  const show = (value: string) =>
    setSearch((old) => withParam(old, VIEW, value), { preventScrollReset: true, replace: value === '' })
  return (
    <div className="flex min-w-0 max-w-full flex-1 basis-80 items-start gap-4 sm:max-w-104">
      <button
        type="button"
        disabled={!email}
        onClick={() => show('email')}
        className="group relative w-36 shrink-0 overflow-hidden rounded-card border transition-colors hover:border-control"
      >
        <EmailThumbnail html={email?.html} failed={failed} />
        <span className="flex items-center justify-center gap-1.5 py-1.5 text-sm font-medium text-accent-text">
          <Expand aria-hidden="true" className="size-3.5" /> View email
        </span>
      </button>
      <FactList facts={[['Subject', email?.subject], ['From', email?.from], ...toAudienceFacts(audience)]} />
      {email && search.get(VIEW) === 'email' && <EmailDialog email={email} onClose={() => show('')} />}
    </div>
  )
}

function EmailDialog({ email, onClose }: { email: CampaignEmail; onClose: () => void }) {
  const [isPhone, setIsPhone] = useState(false)
  const [hasClicks, setHasClicks] = useState(email.clickMap !== null)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={email.subject}
      description={`From ${email.from}. Shown with sample data.`}
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <fieldset aria-label="Screen" className="inline-flex gap-1">
          {[
            { label: 'Desktop', phone: false },
            { label: 'Mobile', phone: true },
          ].map(({ label, phone }) => (
            <button
              key={label}
              type="button"
              aria-pressed={phone === isPhone}
              onClick={() => setIsPhone(phone)}
              className="h-8 rounded-control border border-transparent px-3 text-base font-medium text-text hover:bg-hover aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
            >
              {label}
            </button>
          ))}
        </fieldset>
        {email.clickMap !== null && (
          <Checkbox
            label="Show clicks on links"
            hint="People who clicked, without bots"
            checked={hasClicks}
            onChange={(event) => setHasClicks(event.target.checked)}
          />
        )}
      </div>
      <div className="flex justify-center rounded-card border bg-sunken p-2">
        <MailFrame
          html={(hasClicks && email.clickMap) || email.html}
          title={`The email: ${email.subject}`}
          className={cx('h-[54dvh] rounded-[6px] border-0', isPhone ? 'w-[375px] max-w-full' : 'w-full')}
        />
      </div>
    </Dialog>
  )
}
