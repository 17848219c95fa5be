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
const MAKES_CLIENT = /\bnew\s+PrismaClient\s*\(/
const CLIENT_CLASS = /\bexport\s+(default\s+)?class\s+(\w+)\s+extends\s+PrismaClient\b/
/** Matches common names of an app's client. */
const USUAL_NAME = /^(prisma|db|orm|client|database|prismaClient)$/i
/** Matches files whose client belongs to a script or a test. */
const NOT_THE_APPS =
  /(^|\/)(tests?|__tests__|__mocks__|e2e|scripts?|examples?|seeds?|bench|fixtures)(\/|\.)|\.(test|spec)\./

/**
 * Finds the file that creates and exports the app's Prisma client.
 * @param classes whether to accept a class that extends `PrismaClient`
 */
export function findClient(app: Pick<AppFolder, 'sources' | 'text'>, classes: boolean): AppClient | undefined {
  for (const file of app.sources) {
    if (NOT_THE_APPS.test(file)) continue
    const text = stripComments(app.text(file))
    const found = (classes ? exportedClass(text) : undefined) ?? exportedValue(text)
    if (found) return { file, ...found }
  }
  return undefined
}

/** Returns the first file of the app that creates a Prisma client, even if it does not export it. */
export function findClientConstruction({ sources, text }: Pick<AppFolder, 'sources' | 'text'>): string | undefined {
  return sources.find((file) => !NOT_THE_APPS.test(file) && MAKES_CLIENT.test(stripComments(text(file))))
}

function exportedClass(text: string): Omit<AppClient, 'file'> | undefined {
  const [, isDefault, name] = CLIENT_CLASS.exec(text) ?? []
  return name === undefined ? undefined : { kind: 'class', name, isDefault: isDefault !== undefined }
}

/** Returns the export that is initialized with a new client, or one with a common name. */
function exportedValue(text: string): Omit<AppClient, 'file'> | undefined {
  if (!MAKES_CLIENT.test(text)) return undefined
  const clientNames = findClientVariables(text)
  const exports = exportsOf(text)
  const found =
    exports.find(({ local }) => clientNames.has(local)) ??
    exports.find(({ local, name }) => USUAL_NAME.test(name ?? local))
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
function exportsOf(text: string): { readonly local: string; readonly name?: string }[] {
  const constants = [...text.matchAll(/\bexport\s+(?:const|let|var)\s+(\w+)/g)].map(([, name = '']) => ({
    local: name,
    name,
  }))
  const listed = [...text.matchAll(/\bexport\s*\{([^}]*)\}(?!\s*from)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(\w+)(?:\s+as\s+(\w+))?/g)].map(([, local = '', name = local]) =>
      name === 'default' ? { local } : { local, name },
    ),
  )
  const byDefault = [...text.matchAll(/\bexport\s+default\s+(\w+)\s*;?\s*$/gm)].map(([, local = '']) => ({ local }))
  return [...constants, ...listed, ...byDefault]
}

/** Removes comments, because examples in them do not create a client. Prisma's generated client contains such examples. */
export function stripComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
