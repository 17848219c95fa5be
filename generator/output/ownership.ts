import { GENERATED_HEADER } from '../emit/files.js'
import { folderName } from '../model/names.js'
import { ADAPTERS } from '../options.js'

/** What a model's folder can hold. */
export const MODEL_FILES: readonly string[] = ['resource.ts', 'rest.ts', 'rpc.ts']

/** What the output folder itself can hold: what all models have in common, and one file an adapter. */
export const ROOT_FILES: readonly string[] = [
  'index.ts',
  'client.ts',
  'graph.ts',
  'hooks.ts',
  'orm.ts',
  'policy.ts',
  ...ADAPTERS.map((adapter) => `${adapter}.ts`),
]

/** The name of a file while it is written. A run that was killed leaves it behind; the next one removes it. */
export const TEMPORARY_NAME = /^\.routewright-(\d+)-\d+\.tmp$/

/** The name of a temporary file that no other run uses. */
export function temporaryName(process: number, serial: number): string {
  return `.routewright-${process}-${serial}.tmp`
}

/** Whether a text begins with our first line, whatever its line endings. */
export function hasGeneratedHeader(text: string): boolean {
  return lines(text)[0] === GENERATED_HEADER
}

/**
 * Whether a file is provably ours, so that it may be removed: both header lines, and the very path that a file with that
 * source gets. A copy of an emitted file at another path is its owner's.
 * @param path relative to the output folder, with forward slashes
 */
export function isGeneratedFile(path: string, text: string): boolean {
  if (!hasGeneratedHeader(text)) return false
  const source = /^\/\/ Source: (.+)$/.exec(lines(text)[1] ?? '')?.[1]
  if (source === undefined) return false
  const model = /^model (\w+)\./.exec(source)?.[1]
  if (model === undefined) return ROOT_FILES.includes(path)
  return MODEL_FILES.some((name) => path === `${folderName(model)}/${name}`)
}

/** Whether a folder of this name could be a model's. */
export function isModelFolder(name: string): boolean {
  return /^[a-z][a-z\d-]*$/.test(name)
}

/** The two lines of the header. */
function lines(text: string): string[] {
  return text.split(/\r?\n/, 2)
}
