import type { AppFolder } from './app-folder.js'

/** The app's own Prisma client, as one of its files exports it. */
export interface AppClient {
  /** The file, relative to the app's folder. */
  readonly file: string
  /** What is imported: a value, or a class that makes one, as Nest's services do. */
  readonly kind: 'value' | 'class'
  readonly name: string
  /** Whether it is the default export. */
  readonly isDefault: boolean
}

/** What makes a client, here or there. */
const MAKES_CLIENT = /\bnew\s+PrismaClient\s*\(/
const CLIENT_CLASS = /\bexport\s+(default\s+)?class\s+(\w+)\s+extends\s+PrismaClient\b/
/** Names that people give to their client. */
const USUAL_NAME = /^(prisma|db|orm|client|database|prismaClient)$/i
/** A client that is made there is that of a script or a test. */
const NOT_THE_APPS =
  /(^|\/)(tests?|__tests__|__mocks__|e2e|scripts?|examples?|seeds?|bench|fixtures)(\/|\.)|\.(test|spec)\./

/**
 * Finds the file that makes the app's Prisma client and exports it.
 * @param classes whether a class will do that extends `PrismaClient`
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

/** The first file of the app that makes a Prisma client, whether it exports it or not. */
export function findClientConstruction({ sources, text }: Pick<AppFolder, 'sources' | 'text'>): string | undefined {
  return sources.find((file) => !NOT_THE_APPS.test(file) && MAKES_CLIENT.test(stripComments(text(file))))
}

function exportedClass(text: string): Omit<AppClient, 'file'> | undefined {
  const [, isDefault, name] = CLIENT_CLASS.exec(text) ?? []
  return name === undefined ? undefined : { kind: 'class', name, isDefault: isDefault !== undefined }
}

/** What a module exports of the client that it makes: the constant that is made of one, or one of a usual name. */
function exportedValue(text: string): Omit<AppClient, 'file'> | undefined {
  if (!MAKES_CLIENT.test(text)) return undefined
  const made = constantsMadeOfClient(text)
  const exports = exportsOf(text)
  const found =
    exports.find(({ local }) => made.has(local)) ?? exports.find(({ local, name }) => USUAL_NAME.test(name ?? local))
  if (!found) return undefined
  return { kind: 'value', name: found.name ?? found.local, isDefault: found.name === undefined }
}

/** The constants in whose own statement a client is made, as in `const prisma = kept.prisma ?? new PrismaClient()`. */
function constantsMadeOfClient(text: string): Set<string> {
  const statement =
    /\b(?:const|let|var)\s+(\w+)(?:(?!\b(?:export|const|let|var|function|class|return)\b|=>)[^;])*?new\s+PrismaClient\s*\(/g
  return new Set([...text.matchAll(statement)].map(([, name = '']) => name))
}

/** What a module exports: the name there, none for the default; and its name in the module. */
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

/** A text without its comments: examples in them, as in the client that Prisma generates, make no client. */
export function stripComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
