import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { openApi } from '@routewright/runtime/openapi'
import { afterAll, expect, it } from 'vitest'

import { describeExports } from '../../generator/openapi/describe-exports.js'
import { layOut } from '../../generator/openapi/lay-out.js'
import { describeChange } from '../../generator/output/drift.js'
import { generateAt } from '../support/generate.js'
import { blocksOfKind } from './support/kinds.js'
import { placeOf, ROOT } from './support/pages.js'
import { subscriberSchema } from './support/schema.js'

const GENERATED = path.join(ROOT, 'tests/.generated')
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

it.each(blocksOfKind('document drift').map((block) => [placeOf(block), block] as const))(
  'the document of the README differs as %s shows',
  async (_place, { marker, text }) => {
    const added = marker.slice('document drift: '.length)
    const before = await documentOf(subscriberSchema())
    const after = await documentOf(subscriberSchema().replace(/\n}\n*$/, `\n  ${added}\n}\n`))
    const write = { path: 'src/openapi/rest.openapi.json', text: after, before: { text: before, mode: 0o644 } }
    const difference = describeChange(process.cwd(), write) ?? ''
    let rest = difference
    for (const part of text.trim().split(/\n…\n/)) {
      expect(rest).toContain(`${part}\n`)
      rest = rest.slice(rest.indexOf(part) + part.length)
    }
    // Nothing but what is the model's own.
    const changed = difference.split('\n').filter((line) => /^[-+] /.test(line))
    expect(changed.length).toBeGreaterThan(10)
  },
)

/** The REST document of a schema, as it is committed. */
async function documentOf(schema: string): Promise<string> {
  mkdirSync(GENERATED, { recursive: true })
  const folder = mkdtempSync(path.join(GENERATED, 'project-documents-'))
  folders.push(folder)
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  write('.prettierrc', '{}')
  write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'nodenext' } }))
  write('prisma/schema.prisma', schema)
  const { output, files } = await generateAt(path.join(folder, 'prisma/schema.prisma'))
  for (const file of files) write(path.relative(folder, path.join(output, file.path)), file.text)
  const { RestApiHandler } = await import(path.join(output, 'index.ts'))
  const rest = RestApiHandler({ endpoint: 'https://example.com/api', openapi: openApi() })
  const { documents } = await describeExports({ rest })
  return await layOut(path.join(folder, 'src/openapi/rest.openapi.json'), documents[0]?.text ?? '', 'prettier')
}
