/** An import file that cannot be read as a whole; the message is for the person who sent it. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}

/** Caps of an import file. Sizes are characters unless told otherwise. */
export const CAPS = { columns: 200, cell: 65_536, row: 1_048_576 } as const

/** One row of a file. `row` counts from 1 as a spreadsheet shows it, heading and blank rows included. */
export interface FileRow {
  row: number
  cells: string[]
  /** Why the row cannot be used, or null. */
  problem: string | null
}
