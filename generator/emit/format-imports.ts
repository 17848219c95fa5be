import { stringLiteral } from '../model/annotations/parse-chain.js'
import { compareCodeUnits } from '../model/names.js'
import type { EmittedFile, ImportedName, ImportSpec, RenderedFile } from './files.js'

/** An import declaration. Names are in the order in which they are written. */
interface ImportDeclaration {
  readonly from: string
  readonly typeOnly: boolean
  readonly names: readonly ImportedName[]
}

/**
 * Writes a file's import block.
 * @returns the unformatted text: header, imports and body. All line endings are LF, even if a template has different ones.
 */
export function writeImports({ path, header, imports, body }: RenderedFile): EmittedFile {
  const block = sortImports(imports).map(importDeclaration).join('\n')
  const parts = [header, block, body].map((part) => part.trim()).filter((part) => part !== '')
  return { path, text: `${parts.join('\n\n')}\n`.replaceAll('\r\n', '\n') }
}

function importDeclaration({ from, typeOnly, names }: ImportDeclaration): string {
  const [first] = names
  if (first?.name === '*')
    return `import ${typeOnly ? 'type ' : ''}* as ${first.alias ?? ''} from ${stringLiteral(from)};`
  const specifiers = names.map(({ name, alias, typeOnly: isType }) => {
    const type = isType === true && !typeOnly ? 'type ' : ''
    return `${type}${name}${alias === undefined ? '' : ` as ${alias}`}`
  })
  return `import ${typeOnly ? 'type ' : ''}{ ${specifiers.join(', ')} } from ${stringLiteral(from)};`
}

/**
 * Sorts and merges imports. Packages come before relative specifiers, each sorted by specifier. Names are sorted by code unit. There is
 * one declaration per specifier, plus one for a namespace import. A name that is imported both as a type and as a value becomes a value
 * import.
 * @param imports in any order. Imports without names are dropped.
 */
export function sortImports(imports: readonly ImportSpec[]): ImportDeclaration[] {
  const bySpecifier = new Map<string, Map<string, ImportedName>>()
  for (const { from, names, typeOnly = false } of imports) {
    const collected = bySpecifier.get(from) ?? new Map<string, ImportedName>()
    if (names.length > 0) bySpecifier.set(from, collected)
    for (const { name, alias, typeOnly: nameTypeOnly = false } of names) {
      const key = `${name} ${alias ?? name}`
      const isType = (typeOnly || nameTypeOnly) && collected.get(key)?.typeOnly !== false
      collected.set(key, { name, ...(alias === undefined || alias === name ? {} : { alias }), typeOnly: isType })
    }
  }
  return [...bySpecifier]
    .sort(([a], [b]) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || compareCodeUnits(a, b))
    .flatMap(([from, collected]) => {
      const names = [...collected].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, name]) => name)
      const modules = names.filter(({ name }) => name === '*').map((name) => [name])
      return [...modules, names.filter(({ name }) => name !== '*')]
        .filter((declared) => declared.length > 0)
        .map((declared) => ({ from, names: declared, typeOnly: declared.every((name) => name.typeOnly === true) }))
    })
}
