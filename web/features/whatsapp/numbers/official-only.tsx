import { Banner } from '#web/ui/feedback/banner.tsx'

/** Said wherever a number is connected: there is one way, and why. */
export function OfficialOnly() {
  return (
    <Banner title="Official WhatsApp Cloud API only">
      WhatsApp bans numbers that use unofficial clients, such as those that scan a WhatsApp Web QR code, often
      permanently. Postlark does not use them.
    </Banner>
  )
}
