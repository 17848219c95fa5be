/**
 * Returns the query of a filter: an expression, or selectors and a value (`author.name=Ann`). Several filters are joined by `&`. A text
 * that starts with `filter` is a query already.
 */
export function toQuery(filter: string): string {
  if (/^\w+\(/.test(filter)) return `filter=${encodeURIComponent(filter)}`
  const parts = filter.split('&').map((part) => {
    const [, selectors = '', value] = /^([^=]*)=(.*)$/s.exec(part) ?? []
    return part.startsWith('filter') ? part : `filter[${selectors.replaceAll('.', '][')}]=${value}`
  })
  return parts.join('&')
}
