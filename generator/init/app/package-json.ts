import { initError } from '../init-error.js'

/** The relevant contents of a `package.json`. */
export interface PackageJson {
  /** All dependencies with their version ranges, including development and peer dependencies. */
  readonly packages: ReadonlyMap<string, string>
  /** The value of `prisma.schema`, which Prisma 7 no longer reads. */
  readonly schema: string | undefined
}

/** The names of an app's dependencies. */
export type DependencyNames = Pick<ReadonlySet<string>, 'has'>

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/**
 * Parses the text of a `package.json`.
 * @throws GeneratorError if the text is not a JSON object
 */
export function parsePackageJson(text: string): PackageJson {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw initError(`package.json is not valid JSON: ${reason}.`, 'Fix it and run `routewright init` again.')
  }
  if (!isObject(json)) throw initError('package.json must contain a JSON object.', 'Run `npm init` to create one.')
  const prisma = json['prisma']
  const schema = isObject(prisma) ? prisma['schema'] : undefined
  const packages = DEPENDENCIES.flatMap((key) => {
    const listed = json[key]
    return isObject(listed) ? Object.entries(listed).map(([name, range]) => [name, String(range)] as const) : []
  })
  return {
    packages: new Map(packages),
    schema: typeof schema === 'string' && schema !== '' ? schema : undefined,
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
