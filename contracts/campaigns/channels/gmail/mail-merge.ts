import { z } from 'zod'
import { Campaign } from '#contracts/campaigns/campaign.ts'
import { DateFormats, Mapping } from '#contracts/contacts/imports.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { rowsFile } from '#contracts/form-file.ts'
import { Id, IdParams } from '#contracts/values.ts'

export const mailMerge = {
  upload: endpoint('POST /api/campaigns/:id/recipients', 'paid', {
    refusals: [409],
    gives: { under: ['/api/imports'], pointer: '/importId' },
    summary:
      'Send a Gmail draft to the rows of a spreadsheet. They become a list by an import in the background (GET /api/imports/:id shows it, bad rows included), which replaces the audience; columns become fields for subject and text. POST /api/contacts/import/preview shows what the file contains',
    status: 202,
    params: IdParams,
    form: z.strictObject({
      file: rowsFile('CSV or XLSX, or pasted rows as a text file. The first row has the headings'),
      mapping: Mapping.optional(),
      dateFormats: DateFormats.optional(),
    }),
    response: z.object({ importId: Id, listId: Id, campaign: Campaign }),
  }),
}
