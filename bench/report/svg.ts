/** Returns a function that maps a range of values to positions, on a logarithmic scale. Values outside are moved to its ends. */
export function logarithmic(
  [min, max]: readonly [number, number],
  [from, to]: readonly [number, number],
): (value: number) => number {
  return (value) => {
    const share = Math.log(Math.min(max, Math.max(min, value)) / min) / Math.log(max / min || 2)
    return Math.round(from + share * (to - from))
  }
}

/** Renders a chart with a title. */
export function document(width: number, height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="10" y="20" font-size="14">${escape(title)}</text>
${parts.join('\n')}
</svg>
`
}

/** Escapes text for XML. */
export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
