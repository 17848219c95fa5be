import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { openApi } from '@routewright/runtime/openapi'

import { describeExports } from '../../../generator/openapi/describe-exports.js'
import { formatDocument } from '../../../generator/openapi/format-document.js'
import { generateAt } from '../../support/generate.js'

const GENERATED = path.resolve(import.meta.dirname, '../../.generated')

/** The committed documents of a schema, by style. */
export interface Documents {
  readonly rest: string
  readonly rpc: string
}

/** Generates the routes of a schema with the output `../src/routes`, and writes the documents of both styles. */
export async function documentsOf(schema: string): Promise<Documents> {
  mkdirSync(GENERATED, { recursive: true })
  const folder = mkdtempSync(path.join(GENERATED, 'project-documents-'))
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  try {
    write('.prettierrc', '{}')
    write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'nodenext' } }))
    write('prisma/schema.prisma', schema)
    const { output, files } = await generateAt(path.join(folder, 'prisma/schema.prisma'))
    for (const file of files) write(path.relative(folder, path.join(output, file.path)), file.text)
    const { RestApiHandler, RPCApiHandler } = await import(path.join(output, 'index.ts'))
    const rest = RestApiHandler({ endpoint: 'https://example.com/api', openapi: openApi() })
    const rpc = RPCApiHandler({ openapi: openApi() })
    const { documents } = await describeExports({ rest, rpc })
    const laidOut = async (wanted: string) => {
      const text = documents.find(({ name }) => name === wanted)?.text ?? ''
      return formatDocument(path.join(folder, `src/openapi/${wanted}.openapi.json`), text, 'prettier')
    }
    return { rest: await laidOut('rest'), rpc: await laidOut('rpc') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
