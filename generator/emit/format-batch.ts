import { join } from 'node:path'

import type { EmittedFile, RenderedFile } from './files.js'
import { writeImports } from './format-imports.js'
import { loadPrettier } from './format-prettier.js'

/** What formatting depends on. */
export interface FormatterOptions {
  /** The output folder, absolute. It need not exist. */
  readonly outputDir: string
  /** `prettier`: with the user's own prettier and configuration. `none`: the import block is written, the rest stays as rendered. */
  readonly format: 'prettier' | 'none'
}

/** Formats some files, that are parsed at once and so should not be too many. Throws GeneratorError naming the file that fails. */
export type FormatBatch = (files: readonly RenderedFile[]) => Promise<EmittedFile[]>

/**
 * Makes the function that does the work, in this thread.
 * @throws GeneratorError where the user's prettier does not load
 */
export async function openBatchFormatter({ outputDir, format }: FormatterOptions): Promise<FormatBatch> {
  const prettier = format === 'prettier' ? await loadPrettier(outputDir) : undefined
  return async (files) => {
    const formatted: EmittedFile[] = []
    for (const { path, text } of await writeImports(files)) {
      formatted.push({ path, text: prettier ? await prettier.format(join(outputDir, path), text) : text })
    }
    return formatted
  }
}
