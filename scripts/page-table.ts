/**
 * Replaces the table below a marker in a page, or inserts it.
 * @throws Error if the page does not contain the marker
 */
export function replaceTable(page: string, marker: string, table: string): string {
  const [before = '', below] = page.split(`${marker}\n`)
  if (below === undefined) throw new Error(`The page has no line ${marker}. The table is written below it.`)
  const text = below.trimStart()
  const rest = text.startsWith('|') ? text.split('\n\n').slice(1) : [text]
  return `${[`${before}${marker}\n\n${table.trimEnd()}`, ...rest].join('\n\n').trimEnd()}\n`
}

/** Returns the text of the table below a marker. */
export function tableText(page: string, marker: string): string {
  const [, below = ''] = page.split(`${marker}\n`)
  const [table = ''] = below.trimStart().split('\n\n')
  return table.trim()
}

/** Returns the cells of the table below a marker, without its head. Returns an empty list if there is no table. */
export function tableCells(page: string, marker: string): readonly (readonly string[])[] {
  const lines = tableText(page, marker).split('\n').slice(2)
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** Formats a Markdown table, with numbers in all columns except the first. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), `|:--|${'--:|'.repeat(head.length - 1)}`, ...rows.map(row)].join('\n')
}
