import { join } from 'node:path'
import { ownVersion } from '../version.js'
import type { EmittedFile, RenderedFile } from './files.js'
import { cacheKey, openFormatCache } from './format-cache.js'
import { writeImports } from './format-imports.js'
import { loadPrettier, type PrettierPlan } from './format-prettier.js'

/** Has to change with what `writeImports` makes of the same input. */
const REVISION = 1

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

/** A file on its way: its cache key, and how prettier will format it. */
interface Job {
  readonly file: RenderedFile
  readonly key: string | undefined
  readonly plan: PrettierPlan | undefined
}

/**
 * Makes a formatter: ts-morph writes the import blocks and proves the syntax, prettier formats. A file whose input, formatter
 * and configuration are those of the last run is neither parsed nor formatted again; neither ts-morph nor prettier's parsers
 * are loaded where this is true of all.
 * @throws GeneratorError where the user's prettier does not load
 */
export async function createFormatter({ outputDir, format }: FormatterOptions): Promise<Formatter> {
  const cache = openFormatCache(outputDir, process.cwd())
  const prettier = format === 'prettier' ? await loadPrettier(outputDir) : undefined
  const version = ownVersion()

  async function prepare(file: RenderedFile): Promise<Job> {
    const plan = await prettier?.planFor(join(outputDir, file.path))
    if (plan !== undefined && plan.identity === undefined) return { file, plan, key: undefined }
    return { file, plan, key: cacheKey([version, REVISION, plan?.identity, file]) }
  }

  return {
    async format(files) {
      const jobs: Job[] = []
      for (const file of files) jobs.push(await prepare(file))
      const texts = new Map<RenderedFile, string>()
      for (const { file, key } of jobs) {
        const text = key === undefined ? undefined : cache.get(key)
        if (text !== undefined) texts.set(file, text)
      }
      const remaining = jobs.filter(({ file }) => !texts.has(file))
      const written = await writeImports(remaining.map(({ file }) => file))
      for (const [index, { file, plan }] of remaining.entries()) {
        const text = written[index]?.text ?? ''
        texts.set(file, prettier && plan ? await prettier.format(join(outputDir, file.path), text, plan) : text)
      }
      cache.replace(new Map(jobs.flatMap(({ file, key }) => (key === undefined ? [] : [[key, texts.get(file) ?? '']]))))
      return files.map((file) => ({ path: file.path, text: texts.get(file) ?? '' }))
    },
  }
}
