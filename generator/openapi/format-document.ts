import path from 'node:path'

import { loadPrettier } from '../emit/format-prettier.js'

/**
 * A served document as people read it.
 * @param file where it will stand, absolute: prettier's configuration goes by it
 * @param format `prettier`: in the layout of the project's own prettier, or of ours; `none`: indented by two spaces
 * @throws GeneratorError where prettier fails
 */
export async function formatDocument(file: string, text: string, format: 'prettier' | 'none'): Promise<string> {
  const laidOut = `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  if (format === 'none') return laidOut
  const prettier = await loadPrettier(path.dirname(file))
  return await prettier.format(file, laidOut)
}
