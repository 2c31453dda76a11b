import type { Invoice } from '#contracts/billing/billing.ts'
import type { Db } from '#server/platform/db/database.ts'
import { reversalsByInvoice } from './reversals/reversals-store.ts'

interface InvoiceRow {
  id: string
  number: string
  status: string
  total: string | number
  currency: string
  createdAt: Date
  hostedUrl: string | null
}

/** How invoices of these workspaces are shown, with what was refunded or disputed of each. */
export async function invoicePresenter(db: Db, workspaceIds: string[]): Promise<(row: InvoiceRow) => Invoice> {
  const reversed = await reversalsByInvoice(db, workspaceIds)
  return (row) => ({
    id: row.id,
    number: row.number,
    status: row.status,
    total: Number(row.total),
    ...(reversed.get(row.id) ?? { refunded: 0, disputed: false }),
    currency: row.currency.toUpperCase(),
    createdAt: row.createdAt.toISOString(),
    url: row.hostedUrl,
  })
}
