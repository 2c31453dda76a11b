import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { type WhatsAppNumber, whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { api, errorMessage } from '#web/api.ts'
import { readAll } from '#web/query.ts'
import { Button } from '#web/ui/form/button.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

/** Connects a sandbox number of this workspace, one that exists or else a new one. */
async function connectSandboxNumber(): Promise<WhatsAppNumber> {
  const { items: connected } = await readAll((page) => api(whatsappNumbers.list, { query: page }))
  const { items: own } = await api(sandboxWhatsApp.numbers, { query: { of: 'workspace' } })
  const free = own.find((one) => !connected.some(({ phoneNumberId }) => phoneNumberId === one.phoneNumberId))
  const name = own.length === 0 ? 'Sandbox business' : `Sandbox business ${own.length + 1}`
  const number = free ?? (await api(sandboxWhatsApp.addNumber, { body: { name } }))
  const { phoneNumberId, businessAccountId, accessToken, appSecret } = number
  return api(whatsappNumbers.create, { body: { phoneNumberId, businessAccountId, accessToken, appSecret } })
}

interface SandboxNumberButtonProps {
  kind?: 'primary' | 'secondary'
  size?: 'sm' | 'md'
  onConnected?: (account: WhatsAppNumber) => void
}

/** One press to a number to try WhatsApp with, where this machine plays Meta itself. */
export function SandboxNumberButton({ onConnected, ...look }: SandboxNumberButtonProps) {
  const queries = useQueryClient()
  const connect = useMutation({
    mutationFn: connectSandboxNumber,
    onSuccess: async (account) => {
      await queries.invalidateQueries({ queryKey: ['whatsapp'] })
      toast.success(`${account.displayPhone} connected`)
      onConnected?.(account)
    },
    onError: (error) => toast.error(errorMessage(error)),
  })
  return (
    <Button {...look} busy={connect.isPending} onClick={() => connect.mutate()}>
      Use sandbox number
    </Button>
  )
}
