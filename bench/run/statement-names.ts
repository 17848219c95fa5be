/**
 * Names statements, for the option `statementNameGenerator` of `@prisma/adapter-pg`: each connection has the server prepare a statement that
 * has a name once, and refers to it by that name then. A list of values makes a statement for each of its lengths, and nothing ever forgets
 * a name: so there is an end to them.
 * @param most how many statements get a name. The others are prepared each time, as without the option
 */
export function statementNames(most = 500): (statement: { readonly sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    if (names.size >= most) return ''
    const name = `prisma_${names.size}`
    names.set(sql, name)
    return name
  }
}
