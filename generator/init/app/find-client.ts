import type { AppFolder } from './app-folder.js'

/** The app's Prisma client and the file that exports it. */
export interface AppClient {
  /** Path relative to the app's folder. */
  readonly file: string
  /** Whether the export is a client or a class that extends `PrismaClient`, such as a Nest service. */
  readonly kind: 'value' | 'class'
  readonly name: string
  /** Whether it is the default export. */
  readonly isDefault: boolean
}

/** Matches the construction of a client. */
const CLIENT_CONSTRUCTION = /\bnew\s+PrismaClient\s*\(/
const CLIENT_CLASS = /\bexport\s+(default\s+)?class\s+(\w+)\s+extends\s+PrismaClient\b/
/** Matches common names of an app's client. */
const COMMON_CLIENT_NAMES = /^(prisma|db|orm|client|database|prismaClient)$/i
/** Matches files whose client belongs to a script or a test. */
const NON_APP_FILES =
  /(^|\/)(tests?|__tests__|__mocks__|e2e|scripts?|examples?|seeds?|bench|fixtures)(\/|\.)|\.(test|spec)\./

/**
 * Finds the file that creates and exports the app's Prisma client.
 * @param classes whether to accept a class that extends `PrismaClient`
 */
export function findClient(app: Pick<AppFolder, 'sources' | 'text'>, classes: boolean): AppClient | undefined {
  for (const file of app.sources) {
    if (NON_APP_FILES.test(file)) continue
    const text = stripComments(app.text(file))
    const found = (classes ? findExportedClass(text) : undefined) ?? findExportedValue(text)
    if (found) return { file, ...found }
  }
  return undefined
}

/** Returns the first file of the app that creates a Prisma client, even if it does not export it. */
export function findClientConstruction({ sources, text }: Pick<AppFolder, 'sources' | 'text'>): string | undefined {
  return sources.find((file) => !NON_APP_FILES.test(file) && CLIENT_CONSTRUCTION.test(stripComments(text(file))))
}

function findExportedClass(text: string): Omit<AppClient, 'file'> | undefined {
  const [, isDefault, name] = CLIENT_CLASS.exec(text) ?? []
  return name === undefined ? undefined : { kind: 'class', name, isDefault: isDefault !== undefined }
}

/** Returns the export that is initialized with a new client, or one with a common name. */
function findExportedValue(text: string): Omit<AppClient, 'file'> | undefined {
  if (!CLIENT_CONSTRUCTION.test(text)) return undefined
  const clientNames = findClientVariables(text)
  const exports = findExports(text)
  const found =
    exports.find(({ local }) => clientNames.has(local)) ??
    exports.find(({ local, name }) => COMMON_CLIENT_NAMES.test(name ?? local))
  if (!found) return undefined
  return { kind: 'value', name: found.name ?? found.local, isDefault: found.name === undefined }
}

/** Returns the variables whose declaration contains `new PrismaClient`, for example `const prisma = kept.prisma ?? new PrismaClient()`. */
function findClientVariables(text: string): Set<string> {
  const statement =
    /\b(?:const|let|var)\s+(\w+)(?:(?!\b(?:export|const|let|var|function|class|return)\b|=>)[^;])*?new\s+PrismaClient\s*\(/g
  return new Set([...text.matchAll(statement)].map(([, name = '']) => name))
}

/** Returns the local and exported names of a module's exports. The default export has no exported name. */
function findExports(text: string): { readonly local: string; readonly name?: string }[] {
  const constants = [...text.matchAll(/\bexport\s+(?:const|let|var)\s+(\w+)/g)].map(([, name = '']) => ({
    local: name,
    name,
  }))
  const namedExports = [...text.matchAll(/\bexport\s*\{([^}]*)\}(?!\s*from)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(\w+)(?:\s+as\s+(\w+))?/g)].map(([, local = '', name = local]) =>
      name === 'default' ? { local } : { local, name },
    ),
  )
  const defaultExports = [...text.matchAll(/\bexport\s+default\s+(\w+)\s*;?\s*$/gm)].map(([, local = '']) => ({
    local,
  }))
  return [...constants, ...namedExports, ...defaultExports]
}

/** Removes comments, because examples in them do not create a client. Prisma's generated client contains such examples. */
export function stripComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
