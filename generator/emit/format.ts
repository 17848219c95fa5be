import { join } from 'node:path'

import { packageVersion } from '../version.js'
import type { EmittedFile, RenderedFile } from './files.js'
import { cacheKey, openFormatCache } from './format-cache.js'
import { writeImports } from './format-imports.js'
import { layOut } from './format-layout.js'
import { loadPrettier } from './format-prettier.js'
import { assertSyntax } from './format-syntax.js'

/** Number of files that are parsed at a time, so that memory use does not grow with the schema. */
const BATCH = 48

/** Part of the cache key. Increment it when the output of `writeImports` changes for the same input. */
const REVISION = 4

/** Options of a formatter. */
export interface FormatterOptions {
  /** Absolute path of the output folder. It does not need to exist. */
  readonly outputDir: string
  /** `prettier` formats with the user's prettier and configuration. `none` only writes the imports. */
  readonly format: 'prettier' | 'none'
  /** Whether all files come from built-in templates. With prettier's default options, most of them are then formatted without prettier. */
  readonly builtinTemplates?: boolean
}

/** Converts rendered files to their final text. */
export interface Formatter {
  /**
   * Formats files.
   * @param files all files of a run. The results replace the cache of the previous run.
   * @returns the files with their final text, in the same order
   * @throws GeneratorError that names the file, if the file is not valid TypeScript or prettier fails
   */
  format(files: readonly RenderedFile[]): Promise<EmittedFile[]>
}

/**
 * Creates a formatter that writes imports, checks the syntax and runs prettier. If prettier's TypeScript parser checks the syntax,
 * ts-morph, which is slower to load, is used only to describe errors. Files whose input, formatter and configuration are unchanged since
 * the previous run are taken from the cache. If all files are cached, no parser is loaded.
 * @throws GeneratorError if the user's prettier cannot be loaded
 */
export async function createFormatter({
  outputDir,
  format,
  builtinTemplates = false,
}: FormatterOptions): Promise<Formatter> {
  const cache = openFormatCache(outputDir, process.cwd())
  const prettier = format === 'prettier' ? await loadPrettier(outputDir) : undefined
  const version = packageVersion()

  async function getCacheKey(file: RenderedFile): Promise<string | undefined> {
    const identity = prettier ? await prettier.identity(join(outputDir, file.path)) : format
    return identity === undefined ? undefined : cacheKey([version, REVISION, identity, file])
  }

  /** Formats the file of a model without prettier, if the result is the same. */
  async function layOutFile({ path, text }: EmittedFile): Promise<string | undefined> {
    const isSupported = builtinTemplates && path.includes('/') && (await prettier?.hasDefaults(join(outputDir, path)))
    return isSupported === true ? layOut(text) : undefined
  }

  /** Whether formatting these files with prettier also checks that they are valid TypeScript. */
  async function prettierRejectsInvalid(files: readonly EmittedFile[]): Promise<boolean> {
    for (const { path } of files) {
      if (!(await prettier?.rejectsInvalidSyntax(join(outputDir, path)))) return false
    }
    return true
  }

  async function formatBatch(files: readonly RenderedFile[]): Promise<EmittedFile[]> {
    const formatted: EmittedFile[] = []
    const texts: EmittedFile[] = []
    for (const file of files.map(writeImports)) {
      const text = await layOutFile(file)
      if (text === undefined) texts.push(file)
      else formatted.push({ path: file.path, text })
    }
    if (!(await prettierRejectsInvalid(texts))) await assertSyntax(texts)
    if (prettier === undefined) return texts
    try {
      for (const { path, text } of texts) {
        formatted.push({ path, text: await prettier.format(join(outputDir, path), text) })
      }
    } catch (error) {
      // Prettier stops at the first invalid file. This check reports all of them and mentions templates as a possible cause.
      await assertSyntax(texts)
      throw error
    }
    return formatted
  }

  return {
    async format(files) {
      const texts = new Map<string, string>()
      const keys = new Map<string, string>()
      for (const file of files) {
        const key = await getCacheKey(file)
        if (key === undefined) continue
        keys.set(file.path, key)
        const text = cache.get(key)
        if (text !== undefined) texts.set(file.path, text)
      }
      const remaining = files.filter(({ path }) => !texts.has(path))
      for (let start = 0; start < remaining.length; start += BATCH) {
        for (const { path, text } of await formatBatch(remaining.slice(start, start + BATCH))) texts.set(path, text)
      }
      const getText = (path: string) => texts.get(path) ?? ''
      cache.replace(new Map([...keys].map(([path, key]) => [key, getText(path)])))
      return files.map(({ path }) => ({ path, text: getText(path) }))
    },
  }
}
