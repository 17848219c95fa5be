/**
 * Names statements, for the option `statementNameGenerator` of `@prisma/adapter-pg`. The server prepares a named statement once per
 * connection, and the connection then refers to it by name. Lists of values create a statement for each length, and names are never
 * released, so their number is limited.
 * @param max maximum number of named statements. All others are prepared each time, as without the option.
 */
export function statementNames(max = 500): (statement: { readonly sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const cached = names.get(sql)
    if (cached !== undefined) return cached
    if (names.size >= max) return ''
    const name = `prisma_${names.size}`
    names.set(sql, name)
    return name
  }
}
