/** The words of the pages of recipients and of the emails of the preference page. `{sender}` and other words in braces are filled in. */
export interface PageTexts {
  title: string
  intro: string
  saved: string
  unsubscribed: string
  /** After an email with a link was sent. */
  linkSent: string
  tooMany: string
  noEmail: string
  blocked: string
  /** The contact has another address than the one the email went to. */
  moved: string
  /** The contact was removed and may still be put back. */
  removed: string
  emailsOff: string
  lists: string
  noLists: string
  channels: string
  email: string
  frequency: string
  all: string
  weekly: string
  pause: string
  paused: string
  save: string
  unsubscribeAll: string
  /** What ends, by the channels a person has. */
  unsubscribeHint: { email: string; whatsapp: string; both: string }
  why: string
  sentOn: string
  sources: Record<'import' | 'form' | 'collected' | 'other', string>
  confirmed: string
  agreed: string
  found: string
  bases: Record<'consent' | 'customer' | 'legitimate_interest', string>
  noEvidence: string
  postalAddress: string
  noPostalAddress: string
  data: string
  dataHint: string
  askData: string
  askErasure: string
  download: { title: string; text: string; button: string; subject: string; body: string }
  erase: { title: string; text: string; button: string; subject: string; body: string; done: string; doneText: string }
  expired: { title: string; text: string }
  gone: { title: string; text: string }
  test: { title: string; text: string }
  /** The unsubscribe page. */
  leave: {
    title: string
    text: string
    choice: string
    all: string
    list: string
    button: string
    done: string
    doneAll: string
    doneList: string
    atOnce: string
    again: string
    preferences: string
    gone: { title: string; text: string }
    test: { title: string; text: string }
  }
  /** The page behind the link of a confirmation email. */
  confirm: {
    title: string
    text: string
    button: string
    decline: string
    done: { title: string; text: string }
    declined: { title: string; text: string }
    left: { title: string; text: string }
    expired: { title: string; text: string }
    again: { text: string; button: string }
    sent: { title: string; text: string }
    full: { title: string; text: string }
  }
}
