/** How a contact stood on its page; a person may leave out those whose owner hid them from robots. */
export type Method = 'link' | 'text' | 'words' | 'structured' | 'attribute' | 'encoded' | 'script' | 'comment'

/** A contact found on a page. */
export interface Finding {
  kind: 'email' | 'phone'
  /** An address (domain in lower-case ASCII, local part as written) or E.164, with `;ext=` where an extension is stated. */
  value: string
  method: Method
  /** 0 to 1: how sure it is that this is a contact of somebody, and this one. */
  confidence: number
  /** Up to some 160 characters around it, on one line. */
  context: string
  /** Name of the person or organization, where the page's own data says it. */
  name: string
  organization: string
  /** Of phone numbers: ISO 3166 country and libphonenumber's type (MOBILE, FIXED_LINE, …), where known. */
  country?: string
  type?: string
}

/** A link of a page, resolved against its base. */
export interface Link {
  url: string
  nofollow: boolean
  /** The words one clicks on, cut at 100 characters: contact pages are asked for first. */
  text: string
}
