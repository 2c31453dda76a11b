import { z } from 'zod'
import { Campaign } from './campaigns.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './values.ts'

export const mailMerge = {
  upload: endpoint('POST /api/campaigns/:id/recipients', 'paid', {
    summary:
      'Send a Gmail draft to the rows of a spreadsheet. They become a list by an import in the background (GET /api/imports/:id shows it, bad rows included), which replaces the audience; columns become fields for subject and text. What the file holds shows POST /api/contacts/import/preview',
    status: 202,
    params: IdParams,
    multipart:
      'file: CSV or XLSX, or pasted rows as a text file, their first row the headings; mapping: JSON, column name -> email, phone, name or an attribute name, as guessed where it is left out (optional)',
    isStreamed: true,
    answer: z.object({ importId: Id, listId: Id, campaign: Campaign }),
  }),
}
