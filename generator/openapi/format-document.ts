import path from 'node:path'

import { loadPrettier } from '../emit/format-prettier.js'

/**
 * Formats a document for committing.
 * @param file absolute path that the document will have. Prettier's configuration depends on it.
 * @param format `prettier` uses the project's prettier or the bundled one. `none` indents by two spaces.
 * @throws GeneratorError if prettier fails
 */
export async function formatDocument(file: string, text: string, format: 'prettier' | 'none'): Promise<string> {
  const indented = `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  if (format === 'none') return indented
  const prettier = await loadPrettier(path.dirname(file))
  return await prettier.format(file, indented)
}
