import type { GmailAccount } from '#contracts/gmail.ts'
import { Badge } from '#web/ui/badge.tsx'

const looks: Record<GmailAccount['health'], React.ComponentProps<typeof Badge>> = {
  untested: { shape: 'dashed', children: 'not tested' },
  working: { tone: 'good', shape: 'check', children: 'working' },
  expiring: { tone: 'attention', shape: 'clock', children: 'ends soon' },
  failing: { tone: 'harm', shape: 'warning', children: 'failing' },
  revoked: { tone: 'harm', shape: 'cross', children: 'permission ended' },
}

/** Whether an account can send. */
export const AccountState = ({ health }: Pick<GmailAccount, 'health'>) => <Badge {...looks[health]} />
