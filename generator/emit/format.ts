import { join } from 'node:path'

import { packageVersion } from '../version.js'
import type { EmittedFile, RenderedFile } from './files.js'
import { cacheKey, openFormatCache } from './format-cache.js'
import { writeImports } from './format-imports.js'
import { loadPrettier } from './format-prettier.js'
import { assertSyntax } from './format-syntax.js'

/** So many files are parsed at a time: a schema of any size needs the memory of one batch. */
const BATCH = 48

/** Has to change with what `writeImports` makes of the same input. */
const REVISION = 4

/** What formatting depends on. */
export interface FormatterOptions {
  /** The output folder, absolute. It need not exist. */
  readonly outputDir: string
  /** `prettier`: with the user's own prettier and configuration. `none`: the import block is written, the rest stays as rendered. */
  readonly format: 'prettier' | 'none'
}

/** Makes rendered files final. */
export interface Formatter {
  /**
   * @param files all files of a run; what they give is remembered for the next run, instead of what was
   * @returns the files with their final texts, in the same order
   * @throws GeneratorError naming the file, where one is no valid TypeScript or prettier fails
   */
  format(files: readonly RenderedFile[]): Promise<EmittedFile[]>
}

/**
 * Makes a formatter: import blocks are written, the syntax is proved, prettier formats. Prettier's own parser is proof enough;
 * ts-morph, that takes longer to load than prettier, proves what prettier does not, and tells what is wrong. A file whose
 * input, formatter and configuration are those of the last run is neither parsed nor formatted again; no parser is loaded
 * where this is true of all.
 * @throws GeneratorError where the user's prettier does not load
 */
export async function createFormatter({ outputDir, format }: FormatterOptions): Promise<Formatter> {
  const cache = openFormatCache(outputDir, process.cwd())
  const prettier = format === 'prettier' ? await loadPrettier(outputDir) : undefined
  const version = packageVersion()

  async function keyOf(file: RenderedFile): Promise<string | undefined> {
    const identity = prettier ? await prettier.identity(join(outputDir, file.path)) : format
    return identity === undefined ? undefined : cacheKey([version, REVISION, identity, file])
  }

  /** Whether prettier, by formatting these files, proves that they are TypeScript. */
  async function prettierProves(files: readonly EmittedFile[]): Promise<boolean> {
    for (const { path } of files) {
      if (!(await prettier?.provesSyntax(join(outputDir, path)))) return false
    }
    return true
  }

  async function formatBatch(files: readonly RenderedFile[]): Promise<EmittedFile[]> {
    const written = files.map(writeImports)
    if (!(await prettierProves(written))) await assertSyntax(written)
    if (prettier === undefined) return written
    const formatted: EmittedFile[] = []
    try {
      for (const { path, text } of written) {
        formatted.push({ path, text: await prettier.format(join(outputDir, path), text) })
      }
    } catch (error) {
      // Prettier knows of the first file that fails only, and not that a template may be to blame.
      await assertSyntax(written)
      throw error
    }
    return formatted
  }

  return {
    async format(files) {
      const texts = new Map<string, string>()
      const keys = new Map<string, string>()
      for (const file of files) {
        const key = await keyOf(file)
        if (key === undefined) continue
        keys.set(file.path, key)
        const text = cache.get(key)
        if (text !== undefined) texts.set(file.path, text)
      }
      const remaining = files.filter(({ path }) => !texts.has(path))
      for (let start = 0; start < remaining.length; start += BATCH) {
        for (const { path, text } of await formatBatch(remaining.slice(start, start + BATCH))) texts.set(path, text)
      }
      const textOf = (path: string) => texts.get(path) ?? ''
      cache.replace(new Map([...keys].map(([path, key]) => [key, textOf(path)])))
      return files.map(({ path }) => ({ path, text: textOf(path) }))
    },
  }
}
