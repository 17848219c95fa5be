import ts from 'typescript-5.9'

/** A name that a file declares. */
export interface DeclaredName {
  readonly name: string
  /** One-based line number. */
  readonly line: number
}

/** Lists the names that a TypeScript file declares: variables, parameters, functions, types, their members and the keys of objects. */
export function findNames(file: string, text: string): DeclaredName[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const names: DeclaredName[] = []
  const visit = (node: ts.Node): void => {
    const name = declaredName(node)
    if (name !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(name.getStart(source))
      names.push({ name: name.text, line: line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

function declaredName(node: ts.Node): ts.Identifier | undefined {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node)
  return isDeclaration && node.name !== undefined && ts.isIdentifier(node.name) ? node.name : undefined
}

/** Splits a name into words in lower case: `toHTMLText` into `to`, `html`, `text`; `own-routes.ts` into `own`, `routes`, `ts`. */
export function splitName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
