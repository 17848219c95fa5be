import type { DMMF } from '@prisma/generator-helper'
import * as runtime from '@prisma/client/runtime/client'

type Config = runtime.GetPrismaClientConfig

/**
 * Creates a Prisma client's class for a schema in memory, like a generated client does. `prisma generate` takes a second
 * per schema.
 */
export function clientClass(schema: string, { models, enums }: DMMF.Datamodel) {
  const config = {
    previewFeatures: [],
    clientVersion: '7.10.1',
    engineVersion: 'none',
    activeProvider: 'sqlite',
    inlineSchema: schema,
    runtimeDataModel: {
      models: Object.fromEntries(
        models.map((model) => [model.name, { dbName: model.dbName, fields: fieldsOf(model) }]),
      ),
      enums: Object.fromEntries(enums.map((each) => [each.name, { dbName: null, values: each.values }])),
      types: {},
    },
    // An empty key disables the query cache.
    parameterizationSchema: { strings: [], graph: Buffer.alloc(64).toString('base64') },
    compilerWasm: {
      getRuntime: () => import(`${COMPILER}.mjs`),
      getQueryCompilerWasmModule: () => (compiler ??= loadCompiler()),
      importName: './query_compiler_fast_bg.js',
    },
  }
  return runtime.getPrismaClient(config as unknown as Config)
}

const COMPILER = '@prisma/client/runtime/query_compiler_fast_bg.sqlite'

let compiler: Promise<WebAssembly.Module> | undefined

async function loadCompiler(): Promise<WebAssembly.Module> {
  const { wasm } = (await import(`${COMPILER}.wasm-base64.mjs`)) as { readonly wasm: string }
  return new WebAssembly.Module(Buffer.from(wasm, 'base64'))
}

function fieldsOf({ fields }: DMMF.Model) {
  return fields.map(({ name, kind, type, relationName, dbName }) => ({
    name,
    kind,
    type,
    ...(relationName !== undefined && { relationName }),
    ...(typeof dbName === 'string' && { dbName }),
  }))
}
