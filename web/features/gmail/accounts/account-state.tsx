import type { GmailAccount } from '#contracts/gmail/gmail.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

const looks: Record<GmailAccount['health'], React.ComponentProps<typeof Badge>> = {
  untested: { shape: 'dashed', children: 'Not tested' },
  working: { tone: 'good', shape: 'check', children: 'Working' },
  expiring: { tone: 'attention', shape: 'clock', children: 'Expires soon' },
  failing: { tone: 'harm', shape: 'warning', children: 'Failing' },
  revoked: { tone: 'harm', shape: 'cross', children: 'Permission ended' },
}

/** Whether an account can send. */
export const AccountState = ({ health }: Pick<GmailAccount, 'health'>) => <Badge {...looks[health]} />
