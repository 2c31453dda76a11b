import type { WhatsAppNumber } from '#contracts/whatsapp/numbers.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { formatAgo } from '#web/ui/lib/format.ts'

/** How replies and states get here: automatically where Meta took the address, else what to enter in its pages. */
export function WebhookBox({ account: { webhook } }: { account: WhatsAppNumber }) {
  return (
    <details className="rounded-control border bg-page" open={!webhook.subscribed && webhook.lastAt === null}>
      <summary className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2.5 text-sm">
        <span className="font-medium text-ink">Webhook</span>
        {webhook.subscribed ? (
          <Badge tone="good" shape="check">
            set automatically
          </Badge>
        ) : webhook.lastAt ? (
          <Badge tone="good" shape="check">
            receiving
          </Badge>
        ) : (
          <Badge tone="attention" shape="warning">
            set up at Meta
          </Badge>
        )}
        <span className="text-muted">
          {webhook.lastAt ? `last webhook event ${formatAgo(webhook.lastAt)}` : 'no webhook events yet'}
        </span>
      </summary>
      <div className="space-y-3 border-t px-3 py-3">
        <p className="text-sm text-muted">
          {webhook.subscribed
            ? 'Postlark set this address at Meta. If no events arrive, enter both values yourself: WhatsApp, Configuration, Webhook. Then subscribe to messages, message_template_status_update and user_preferences.'
            : 'Postlark could not set this address at Meta. Enter both values under WhatsApp, Configuration, Webhook. Then subscribe to messages, message_template_status_update and user_preferences. Without it, no replies arrive here.'}
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
