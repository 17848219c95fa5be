import { GENERATED_HEADER } from '../emit/files.js'
import { FILE_NAMES } from '../features.js'
import { folderName } from '../model/names.js'
import { ADAPTERS } from '../options.js'

/** The file names that can be generated in a model's folder. */
export const MODEL_FILES: readonly string[] = ['resource.ts', 'input.ts', 'calls.ts', 'rest.ts', 'rpc.ts']

/** The file names that can be generated in the output folder itself: shared files, and one file per adapter. */
export const ROOT_FILES: readonly string[] = [
  'index.ts',
  'client.ts',
  ...Object.values(FILE_NAMES),
  'orm.ts',
  'policy.ts',
  ...ADAPTERS.map((adapter) => `${adapter}.ts`),
]

/** Matches the name of a file that is being written. If a run is killed, the next run deletes the leftover file. */
export const TEMPORARY_NAME = /^\.routewright-(\d+)-\d+\.tmp$/

/** Returns a name for a temporary file that no other run uses. */
export function temporaryName(process: number, serial: number): string {
  return `.routewright-${process}-${serial}.tmp`
}

/** Whether text begins with the first line of the generated header. Line endings are ignored. */
export function hasGeneratedHeader(text: string): boolean {
  return lines(text)[0] === GENERATED_HEADER
}

/**
 * Whether a file was certainly generated, so that it may be deleted. Both header lines must match, and the path must belong to the source
 * in the header. A copy of a generated file at another path belongs to the user.
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

/** Whether a folder with this name could be a model's folder. */
export function isModelFolder(name: string): boolean {
  return /^[a-z][a-z\d-]*$/.test(name)
}

function lines(text: string): string[] {
  return text.split(/\r?\n/, 2)
}
