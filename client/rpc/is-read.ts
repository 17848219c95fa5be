/** Whether an operation only reads, by its name. */
export function isRead(operation: string): boolean {
  return /^(find|count|aggregate|groupBy|exists|check)/.test(operation)
}
