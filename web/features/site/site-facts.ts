/**
 * What the operator of this installation writes about itself. Everything here is shown on public pages:
 * replace it with your own, or leave a null where there is nothing to show.
 */
export const siteFacts = {
  mission:
    'Postlark sends your mail, counts it honestly and keeps it lawful, so that people are glad to hear from you.',
  contact: { email: 'hello@postlark.example', phone: null as string | null, address: null as string | null },
  social: [
    { name: 'LinkedIn', href: null as string | null },
    { name: 'X', href: null as string | null },
    { name: 'YouTube', href: null as string | null },
  ],
  copyrightYear: 2025,
}
