import type { ImportDeclarationStructure, Project } from 'ts-morph'
import { GeneratorError } from '../errors.js'
import { byCodeUnit } from '../model/names.js'
import type { EmittedFile, ImportedName, ImportSpec, RenderedFile } from './files.js'

/** What a file imports from one specifier, in the order in which it is written. */
interface ImportDeclaration {
  readonly from: string
  readonly typeOnly: boolean
  readonly names: readonly ImportedName[]
}

/**
 * Writes the import blocks and proves the syntax.
 * @param files as rendered
 * @returns the files in the same order: header, imports, body; unformatted
 * @throws GeneratorError naming each file that is no valid TypeScript, with the place and the line
 */
export async function writeImports(files: readonly RenderedFile[]): Promise<EmittedFile[]> {
  // Only loaded where there is something to write: it takes longer to load than an unchanged run takes.
  const morph = await import('ts-morph')
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noLib: true, noResolve: true, types: [], target: morph.ScriptTarget.Latest },
    manipulationSettings: {
      quoteKind: morph.QuoteKind.Double,
      indentationText: morph.IndentationText.TwoSpaces,
      newLineKind: morph.NewLineKind.LineFeed,
    },
  })
  const written = files.map((file) => {
    const source = project.createSourceFile(`/${file.path}`, {
      statements: [
        `${file.header.trim()}\n\n`,
        ...arrangeImports(file.imports).map(({ from, typeOnly, names }): ImportDeclarationStructure => ({
          kind: morph.StructureKind.ImportDeclaration,
          moduleSpecifier: from,
          isTypeOnly: typeOnly,
          namedImports: names.map(({ name, alias, typeOnly: isTypeOnly }) => ({
            name,
            ...(alias === undefined ? {} : { alias }),
            isTypeOnly: !typeOnly && isTypeOnly === true,
          })),
        })),
        `${file.imports.length > 0 ? '\n' : ''}${file.body.trim()}`,
      ],
    })
    return { path: file.path, text: source.getFullText() }
  })
  const faults = syntaxFaults(project)
  if (faults.length > 0) throw new GeneratorError(faults.map(describeFault))
  return written
}

/**
 * Imports in the order in which they are written: packages, then relative ones, each by specifier; names by code unit.
 * One declaration a specifier, and one mention a name; a name that is imported as a type and as a value is a value.
 * @param imports in any order; one without names is left out
 */
export function arrangeImports(imports: readonly ImportSpec[]): ImportDeclaration[] {
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
    .sort(([a], [b]) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || byCodeUnit(a, b))
    .map(([from, collected]) => {
      const names = [...collected].sort(([a], [b]) => byCodeUnit(a, b)).map(([, name]) => name)
      return { from, names, typeOnly: names.every((name) => name.typeOnly === true) }
    })
}

/** A place in an emitted file that is no TypeScript. */
interface EmittedFileFault {
  readonly path: string
  readonly line: number
  readonly message: string
  readonly excerpt: string
}

/** The first syntax fault of each file of a project; later ones of the same file mostly follow from it. */
function syntaxFaults(project: Project): EmittedFileFault[] {
  const faults = new Map<string, EmittedFileFault>()
  for (const diagnostic of project.getProgram().getSyntacticDiagnostics()) {
    const source = diagnostic.getSourceFile()
    const path = source.getFilePath().slice(1)
    if (faults.has(path)) continue
    const line = diagnostic.getLineNumber()
    const message = diagnostic.getMessageText()
    faults.set(path, {
      path,
      line,
      message: typeof message === 'string' ? message : message.getMessageText(),
      // At the end of the file there is nothing to show but what stands before it.
      excerpt:
        source
          .getFullText()
          .split('\n')
          .slice(0, line)
          .findLast((text) => text.trim() !== '')
          ?.trim() ?? '',
    })
  }
  return [...faults.values()]
}

function describeFault({ path, line, message, excerpt }: EmittedFileFault) {
  return {
    place: {},
    what: `${path}, line ${line}, would not be valid TypeScript: ${message} Near: ${excerpt}`,
    mend: 'If you replaced a template, correct it; otherwise please report this with your schema.',
  }
}
