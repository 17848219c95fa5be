import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FIRST_LINE, type RenderedFile } from '../../generator/emit/files.js'
import { openBatchFormatter } from '../../generator/emit/format-batch.js'
import { folderWith } from './folders.js'

// A thread loads built files only.
const built = new URL('../../dist/generator/emit/format-workers.js', import.meta.url).href
const { formatInWorkers }: typeof import('../../generator/emit/format-workers.js') = await import(built)

const batches = Array.from({ length: 5 }, (_, batch) =>
  Array.from({ length: 4 }, (_, index): RenderedFile => ({
    path: `m${batch}-${index}/rest.ts`,
    header: FIRST_LINE,
    imports: [{ from: 'hono', names: [{ name: 'Hono' }] }],
    body: `export const a = [${batch},${index}]`,
  })),
)

describe('formatting in several threads', () => {
  it('gives what one thread gives, in the same order', async () => {
    const outputDir = join(folderWith({ '.prettierrc': '{ "semi": false }' }), 'routes')
    const formatBatch = await openBatchFormatter({ outputDir, format: 'prettier' })
    const formatted = await formatInWorkers(batches, { outputDir, format: 'prettier' }, 2)
    expect(formatted).toEqual(await formatBatch(batches.flat()))
  })

  it('fails with the error of the file that fails', async () => {
    const broken: RenderedFile = { path: 'tag/rest.ts', header: FIRST_LINE, imports: [], body: 'export const a = {' }
    const options = { outputDir: join(folderWith(), 'routes'), format: 'none' } as const
    const error = await formatInWorkers([...batches, [broken]], options, 2).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      name: 'GeneratorError',
      message: expect.stringMatching(
        /^routewright: tag\/rest\.ts, line 4, would not be valid TypeScript: .* Near: export const a = {/,
      ),
    })
  })

  it('fails where prettier does not load', async () => {
    const outputDir = folderWith({ 'node_modules/prettier/index.js': 'throw new Error("broken install")' })
    const formatting = formatInWorkers(batches, { outputDir, format: 'prettier' }, 2)
    await expect(formatting).rejects.toThrow(/broken install/)
  })
})
