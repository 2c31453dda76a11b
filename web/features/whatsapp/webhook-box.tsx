import type { WhatsAppAccount } from '#contracts/whatsapp.ts'
import { Badge } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { formatAgo } from '#web/ui/format.ts'

/** How answers and states get here: by itself where Meta took the address, else what to enter in its pages. */
export function WebhookBox({ account: { webhook } }: { account: WhatsAppAccount }) {
  return (
    <details className="rounded-control border bg-page" open={!webhook.subscribed && webhook.lastAt === null}>
      <summary className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2.5 text-sm">
        <span className="font-medium text-ink">Webhook</span>
        {webhook.subscribed ? (
          <Badge tone="good" shape="check">
            set by us
          </Badge>
        ) : webhook.lastAt ? (
          <Badge tone="good" shape="check">
            arriving
          </Badge>
        ) : (
          <Badge tone="attention" shape="warning">
            enter it at Meta
          </Badge>
        )}
        <span className="text-muted">
          {webhook.lastAt ? `last heard ${formatAgo(webhook.lastAt)}` : 'nothing was heard yet'}
        </span>
      </summary>
      <div className="space-y-3 border-t px-3 py-3">
        <p className="text-sm text-muted">
          {webhook.subscribed
            ? 'Meta took the address from us. Should nothing arrive, enter both by hand: WhatsApp, Configuration, Webhook, and subscribe to messages, message_template_status_update and user_preferences.'
            : 'Meta did not take the address from us. Enter both under WhatsApp, Configuration, Webhook, then subscribe to messages, message_template_status_update and user_preferences. Without it no answer arrives here.'}
        </p>
        <Value label="Callback URL" text={webhook.url} />
        <Value label="Verify token" text={webhook.verifyToken} />
      </div>
    </details>
  )
}

function Value({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <p className="text-xs text-muted">{label}</p>
        <p className="truncate font-mono text-sm text-ink" title={text}>
          {text}
        </p>
      </div>
      <CopyButton text={text} size="sm" aria-label={`Copy the ${label.toLowerCase()}`}>
        Copy
      </CopyButton>
    </div>
  )
}
