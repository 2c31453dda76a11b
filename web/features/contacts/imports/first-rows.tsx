/** The first rows as the file has them; a wide file scrolls inside. */
export function FirstRows({ columns, rows }: { columns: string[]; rows: string[][] }) {
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
      tabIndex={0}
      role="group"
      aria-label="First rows of the file"
      className="max-h-64 overflow-auto rounded-card border bg-surface"
    >
      <table className="min-w-full text-sm">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="sticky top-0 h-8 border-b bg-surface px-3 text-left text-xs font-medium whitespace-nowrap text-muted"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 8).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name than their place
            <tr key={index} className="border-b last:border-0">
              {columns.map((column, at) => (
                <td key={column} className="max-w-56 truncate px-3 py-1.5 text-ink">
                  {row[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
