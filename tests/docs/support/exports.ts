import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import ts from 'typescript-5.9'

import { ROOT } from './pages.js'

/** A value that a package exports, with its doc comment. */
export interface ExportedValue {
  /** Entry point and name: `@routewright/client: json`. */
  readonly title: string
  readonly name: string
  /** The doc comment without its tags. */
  readonly text: string
  /** The code of each `@example`. */
  readonly examples: readonly string[]
  /** The text of each `@see`. */
  readonly links: readonly string[]
}

/** The examples are compiled next to the generated files of this fixture, which they import as `./routes/…`. */
const APP = path.join(ROOT, 'fixtures/blog')

/** The client of the examples' app. */
const DB = `import type { PrismaClient } from './client/client.js'\nexport declare const prisma: PrismaClient\n`

/** Returns all values that the entry points of the packages export, and the compiler errors of their examples. */
export function readExports(): { readonly values: readonly ExportedValue[]; compile(): readonly string[] } {
  const entryPoints = ['runtime', 'client'].flatMap(sourcesOf)
  const virtualFiles = new Map([[path.join(APP, 'db.ts'), DB]])
  const host = createHost(virtualFiles)
  // Names and comments do not need the types of dependencies, which mostly belong to frameworks.
  const sources = ts.createProgram(
    entryPoints.map(({ file }) => file),
    compilerOptions(),
    { ...host, resolveModuleNameLiterals: resolveRelative },
  )
  const values = entryPoints.flatMap(({ name, file }) => valuesOf(sources, name, file))
  const compile = () => {
    for (const { name, examples } of values)
      for (const [at, code] of examples.entries()) virtualFiles.set(path.join(APP, `${name}-${at + 1}.ts`), code)
    const program = ts.createProgram([...virtualFiles.keys()], compilerOptions(), host)
    return [...virtualFiles.keys()].flatMap((file) => errorsOf(program, file))
  }
  return { values, compile }
}

/** Returns the source files of a package's entry points. */
function sourcesOf(folder: string): { name: string; file: string }[] {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string | { types: string }>
  }
  return Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return []
    const source = target.types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts')
    return [{ name: path.posix.join(manifest.name, entry), file: path.join(ROOT, folder, source) }]
  })
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object }
  }
  const { compilerOptions } = config
  return ts.parseJsonConfigFileContent({ compilerOptions, files: [] }, ts.sys, ROOT).options
}

/** Creates a host that also has the given files, and the generated files in `routes/`. */
function createHost(virtualFiles: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(compilerOptions(), true)
  const routes = path.join(APP, 'routes')
  // Both programs use the same files.
  const parsed = new Map<string, ts.SourceFile>()
  const virtual = (file: string): string | undefined => {
    if (path.dirname(file) !== routes) return virtualFiles.get(path.normalize(file))
    const name = path.basename(file)
    if (!existsSync(path.join(APP, 'expected', name))) return undefined
    return `export * from '../expected/${name.replace(/\.ts$/, '.js')}'\n`
  }
  return {
    ...host,
    fileExists: (file) => virtual(file) !== undefined || host.fileExists(file),
    readFile: (file) => virtual(file) ?? host.readFile(file),
    directoryExists: (folder) => path.normalize(folder) === routes || (host.directoryExists?.(folder) ?? true),
    getSourceFile: (file, options) => {
      const text = virtual(file)
      if (text !== undefined) return ts.createSourceFile(file, text, options, true)
      const source = parsed.get(file) ?? host.getSourceFile(file, options)
      if (source) parsed.set(file, source)
      return source
    },
  }
}

function resolveRelative(
  specifiers: readonly ts.StringLiteralLike[],
  file: string,
  _redirected: unknown,
  options: ts.CompilerOptions,
): ts.ResolvedModuleWithFailedLookupLocations[] {
  return specifiers.map(({ text }) => {
    if (!text.startsWith('.')) return { resolvedModule: undefined }
    return ts.resolveModuleName(text, file, options, ts.sys, undefined, undefined, ts.ModuleKind.ESNext)
  })
}

function valuesOf(program: ts.Program, entryPoint: string, file: string): ExportedValue[] {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  return (module ? checker.getExportsOfModule(module) : []).flatMap((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    if (!(symbol.flags & ts.SymbolFlags.Value)) return []
    const tags = symbol.getJsDocTags(checker)
    const textsOf = (tag: string) =>
      tags.filter(({ name }) => name === tag).map(({ text }) => ts.displayPartsToString(text).trim())
    return [
      {
        title: `${entryPoint}: ${exported.name}`,
        name: exported.name,
        text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        examples: textsOf('example').map((text) => /^```ts\n([\s\S]*\n)```$/.exec(text)?.[1] ?? text),
        links: textsOf('see'),
      },
    ]
  })
}

/** Returns the compiler errors of a file, each with its name and line. */
function errorsOf(program: ts.Program, file: string): string[] {
  const source = program.getSourceFile(file)
  const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  return diagnostics.map(({ start = 0, messageText }) => {
    const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1
    return `${path.basename(file)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}
