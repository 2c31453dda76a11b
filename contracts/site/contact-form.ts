import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { Line, Message } from '#contracts/values.ts'

/** What somebody writes to the operator. `form` is the signed word of GET /api/contact; `website` is a trap and stays empty. */
export const ContactMessage = z.strictObject({
  name: Line(120).min(1, 'is required'),
  email: Email,
  message: z.string().trim().min(10, 'must have at least 10 characters').max(5_000, 'has at most 5,000 characters'),
  form: z.string().max(200),
  website: z.string().max(0, 'must stay empty').default(''),
})
export type ContactMessage = z.infer<typeof ContactMessage>

export const contact = {
  form: endpoint('GET /api/contact', 'public', {
    summary: 'Get a token for the contact form; a message includes it',
    response: z.object({ form: z.string() }),
  }),
  send: endpoint('POST /api/contact', 'public', {
    refusals: [409, 429],
    alsoRedirects: true,
    summary: 'Send a message to the operator of this installation',
    status: 202,
    body: ContactMessage,
    /** From a form without scripts: responds with a redirect to /contact. */
    form: ContactMessage,
    response: Message,
  }),
}
