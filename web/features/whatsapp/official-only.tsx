import { Banner } from '#web/ui/banner.tsx'

/** Said wherever a number is connected: there is one way, and why. */
export function OfficialOnly() {
  return (
    <Banner title="Only through Meta's official Cloud API">
      Unofficial clients, those that scan a QR code of WhatsApp Web, get the numbers of their users banned, often for
      good. Postlark does not use them.
    </Banner>
  )
}
