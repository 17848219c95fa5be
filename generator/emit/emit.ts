import type { ApiModel, FieldSpec, ModelSpec } from '../model/api-model.js'
import { stringLiteral } from '../model/annotations/parse-chain.js'
import { delegateName, folderName } from '../model/names.js'
import type { Adapter, Options } from '../options.js'
import { ADAPTER_IMPORTS } from './adapters.js'
import { findModelExceptions } from './model-exceptions.js'
import { type CallsView, createCallsViews } from './calls-view.js'
import type { ImportPaths } from './import-paths.js'
import { createDescriptionsView } from './descriptions-view.js'
import { FILE_NAMES, type OptionalRootFile } from '../features.js'
import { createFeatureViews, type FeatureViews } from './features-view.js'
import { GENERATED_HEADER, type ImportSpec, type RenderedFile } from './files.js'
import { createGraphView } from './graph-view.js'
import { createInputView, findInputFields } from './input-view.js'
import { modelNames } from './names.js'
import { createResourceView, literals } from './resource-view.js'
import { createRestView, restCalls, restRouteTable } from './rest-view.js'
import { rpcRouteTable, createRpcView } from './rpc-view.js'
import type { Render } from './templates.js'

/** Everything that determines the emitted files, apart from the API model. */
export interface EmitContext {
  readonly options: Options
  readonly imports: ImportPaths
  readonly render: Render
}

/** Renders all files of an API, without imports and unformatted. Pure, except that `render` loads templates. */
export function emitFiles(api: ApiModel, context: EmitContext): RenderedFile[] {
  const { styles, adapters } = context.options
  const calls = createCallsViews(api, context.options)
  const features = createFeatureViews(api, context.options, context.imports.previewFeatures)
  return [
    ...api.models.flatMap((model) => [
      resourceFile(model, context),
      ...inputFiles(model, context),
      ...callsFiles(model, calls, context),
      ...(styles.includes('rest') ? [restFile(model, api, context)] : []),
      ...(styles.includes('rpc') ? [rpcFile(model, context)] : []),
    ]),
    indexFile(api, features, context),
    clientFile(api, features, context),
    ormFile(context),
    ...context.options.files.flatMap((file) => (file === 'input' ? [] : OPTIONAL[file](api, context))),
    ...(context.options.policy ? [policyFile(api, context)] : []),
    ...adapters.map((adapter) => adapterFile(adapter, context)),
  ]
}

function resourceFile(model: ModelSpec, { options, imports, render }: EmitContext): RenderedFile {
  const inputFields = findInputFields(model, options)
  const hasInputRules = inputFields.some(({ rule }) => rule !== undefined)
  return {
    path: `${folderName(model.name)}/resource.ts`,
    header: modelHeader(model),
    imports: [
      ...(hasRules(model.fields.filter((field) => !inputFields.includes(field))) ? [ZOD] : []),
      ...(hasInputRules ? [values(imports.local('./input'), 'rules')] : []),
    ],
    body: render('resource', createResourceView(model, inputFields)),
  }
}

/** Returns the file with the rules of a model's input, or an empty list if it is not requested or callers cannot write any field. */
function inputFiles(model: ModelSpec, { options, render }: EmitContext): RenderedFile[] {
  const fields = findInputFields(model, options)
  if (fields.length === 0) return []
  const rules = hasRules(fields)
  const file = {
    path: `${folderName(model.name)}/input.ts`,
    header: modelHeader(model),
    imports: [values(`${options.runtimeImport}/input`, 'createInput'), ...(rules ? ZOD_IN_ENGLISH : [])],
    body: render('input', createInputView(model, fields)),
  }
  return [file]
}

/** Returns the file with the Prisma calls of a model, or an empty list if no route uses them. */
function callsFiles(
  model: ModelSpec,
  views: ReadonlyMap<string, CallsView>,
  { imports, render }: EmitContext,
): RenderedFile[] {
  const view = views.get(model.name)
  if (!view) return []
  const file = {
    path: `${folderName(model.name)}/calls.ts`,
    header: modelHeader(model),
    imports: [types(imports.local('../orm'), 'Calls')],
    body: render('calls', view),
  }
  return [file]
}

function restFile(model: ModelSpec, { models }: ApiModel, { options, imports, render }: EmitContext): RenderedFile {
  const view = createRestView(model, models, options.features)
  return {
    path: `${folderName(model.name)}/rest.ts`,
    header: modelHeader(model, restRouteTable(view)),
    imports: [
      namespace(`${options.runtimeImport}/rest`, 'rest'),
      types(imports.local('../orm'), 'RestModelApi'),
      ...[...new Set(restCalls(view).map(([name]) => name))].map((name) =>
        name === model.name
          ? values(imports.local('./calls'), 'calls')
          : valueAs(imports.local(`../${folderName(name)}/calls`), 'calls', modelNames(name).calls),
      ),
      values(imports.local('./resource'), view.names.resource),
    ],
    body: render('rest', view),
  }
}

function rpcFile(model: ModelSpec, { options, imports, render }: EmitContext): RenderedFile {
  const view = createRpcView(model)
  return {
    path: `${folderName(model.name)}/rpc.ts`,
    header: modelHeader(model, rpcRouteTable(model)),
    imports: [
      namespace(`${options.runtimeImport}/rpc`, 'rpc'),
      types(imports.local('../orm'), 'RpcModelApi'),
      ...(view.groups.length > 0 ? [values(imports.local('./calls'), 'calls')] : []),
      values(imports.local('./resource'), view.names.resource),
    ],
    body: render('rpc', view),
  }
}

/** Renders each optional file. */
const OPTIONAL: Readonly<Record<OptionalRootFile, (api: ApiModel, context: EmitContext) => RenderedFile[]>> = {
  computed: (_, context) => [computedFile(context)],
  customRoutes: (api, context) => [customRoutesFile(api, context), declareRoutesFile(context)],
  descriptions: (api, context) => [descriptionsFile(api, context)],
  graph: (api, context) => [graphFile(api, context)],
  hooks: (api, context) => [hooksFile(api, context)],
}

function indexFile(api: ApiModel, features: FeatureViews, { options, imports, render }: EmitContext): RenderedFile {
  const rest = options.styles.includes('rest')
  const rpc = options.styles.includes('rpc')
  const rules = api.models.some(({ fields }) => hasRules(fields))
  const runtime = options.runtimeImport
  const models = api.models.map((model) => ({ name: model.name, ...modelNames(model.name) }))
  return {
    path: 'index.ts',
    header: [header('the Prisma schema'), '//', '// Features:', ...features.header.map((line) => `//   ${line}`)].join(
      '\n',
    ),
    imports: [
      types(runtime, 'ApiHandler', 'ClientOf'),
      ...(rest ? [types(runtime, 'RestOptions'), values(runtime, 'restHandler')] : []),
      ...(rpc ? [types(runtime, 'RpcOptions'), values(runtime, 'rpcHandler')] : []),
      ...[...features.rest, ...features.rpc].map(({ factory, module }) =>
        values(`${runtime}/features/${module}`, factory),
      ),
      ...(rules ? ZOD_IN_ENGLISH : []),
      types(imports.local('./orm'), 'TypeMap'),
      ...models.flatMap((model) => [
        ...(rest ? [values(imports.local(`./${folderName(model.name)}/rest`), model.rest)] : []),
        ...(rpc ? [values(imports.local(`./${folderName(model.name)}/rpc`), model.rpc)] : []),
      ]),
    ],
    body: render('index', {
      rest,
      rpc,
      rules,
      models,
      modelNames: rest ? 'keyof typeof rest' : 'keyof typeof rpc',
      provider: stringLiteral(api.provider),
      relationMode: api.relationMode && stringLiteral(api.relationMode),
      previewFeatures: features.previewFeatures,
      restFeatures: features.rest.length > 0 && features.rest,
      rpcFeatures: features.rpc.length > 0 && features.rpc,
    }),
  }
}

function clientFile(api: ApiModel, features: FeatureViews, { options, imports, render }: EmitContext): RenderedFile {
  const models = api.models.map(({ name }) => ({
    name,
    file: stringLiteral(imports.local(`./${folderName(name)}/resource`)),
    resource: modelNames(name).resource,
  }))
  return {
    path: 'client.ts',
    header: header('the Prisma schema'),
    // Neither `./orm` nor the runtime's root is imported, because either would make the compiler load Hono's types in client code.
    imports: [
      types(`${options.runtimeImport}/computed`, 'Computed', 'ComputedFieldTypes', 'ExtensionOf'),
      types(imports.client, 'Prisma'),
    ],
    body: render('client', {
      models,
      styles: options.styles.map(stringLiteral).join(' | '),
      features: features.names.map(stringLiteral).join(' | ') || 'never',
      ...findModelExceptions(api),
    }),
  }
}

function customRoutesFile({ hiddenModels }: ApiModel, { options, imports, render }: EmitContext): RenderedFile {
  const rest = options.styles.includes('rest')
  const rpc = options.styles.includes('rpc')
  const runtime = options.runtimeImport
  return {
    path: FILE_NAMES.customRoutes,
    header: header('files = ["customRoutes"]'),
    imports: [
      types(runtime, 'DefineRoutes', 'RouteImplementations'),
      types(`${runtime}/declare`, 'ExactRoutes', 'RouteDeclarations'),
      ...(rest
        ? [
            types(runtime, 'CustomRestRoutes'),
            typeAs(runtime, 'RestApi', 'RestApiOf'),
            values(runtime, 'customRestRoutes', 'declaredRestRoutes'),
          ]
        : []),
      ...(rpc
        ? [
            types(runtime, 'CustomRpcRoutes'),
            typeAs(runtime, 'RpcApi', 'RpcApiOf'),
            values(runtime, 'customRpcRoutes', 'declaredRpcRoutes'),
          ]
        : []),
      types(imports.local('./client'), 'Api'),
      types(imports.local('./index'), 'ModelName'),
      types(imports.local('./orm'), 'Client', 'TypeMap'),
    ],
    body: render('custom-routes', {
      rest,
      rpc,
      both: rest && rpc,
      hiddenModels: literals(hiddenModels.map(delegateName)),
    }),
  }
}

function declareRoutesFile({ options, imports, render }: EmitContext): RenderedFile {
  return {
    path: FILE_NAMES.declareRoutes,
    header: header('files = ["customRoutes"]'),
    // Browsers import this file, so it imports only types, and no types of Hono.
    imports: [
      types(`${options.runtimeImport}/declare`, 'ExactRoutes', 'RoutesWithAnySchema'),
      types(imports.local('./client'), 'Api'),
    ],
    body: render('declare-routes', {}),
  }
}

function computedFile({ options, imports, render }: EmitContext): RenderedFile {
  const runtime = options.runtimeImport
  return {
    path: FILE_NAMES.computed,
    header: header('files = ["computed"]'),
    imports: [
      types(runtime, 'ComputedFieldsOf', 'ComputedNames', 'ComputedTypes', 'OfModels'),
      values(runtime, 'computedFields'),
      types(imports.local('./index'), 'ModelName', 'Orm'),
      types(imports.local('./orm'), 'TypeMap'),
    ],
    body: render('computed', {}),
  }
}

function descriptionsFile(api: ApiModel, { options, render }: EmitContext): RenderedFile {
  return {
    path: FILE_NAMES.descriptions,
    header: header('the Prisma schema'),
    imports: [types(`${options.runtimeImport}/openapi`, 'SchemaDescriptions')],
    body: render('descriptions', createDescriptionsView(api)),
  }
}

function graphFile(api: ApiModel, { render }: EmitContext): RenderedFile {
  return {
    path: FILE_NAMES.graph,
    header: header('the Prisma schema'),
    imports: [],
    body: render('graph', createGraphView(api)),
  }
}

function ormFile({ options, imports, render }: EmitContext): RenderedFile {
  const rest = options.styles.includes('rest')
  const rpc = options.styles.includes('rpc')
  const apis = [...(rest ? ['RestModelApi'] : []), ...(rpc ? ['RpcModelApi'] : [])]
  return {
    path: 'orm.ts',
    header: header('the Prisma schema'),
    imports: [
      {
        from: options.runtimeImport,
        typeOnly: true,
        // `orm.ts` exports types with the same names, bound to this schema, so the generic ones need an alias.
        names: [{ name: 'CallsOf' }, ...apis.map((name) => ({ name, alias: `${name}Of` }))],
      },
      types(imports.client, 'Prisma'),
    ],
    body: render('orm', { rest, rpc }),
  }
}

function hooksFile(api: ApiModel, { options, imports, render }: EmitContext): RenderedFile {
  const hooks = `${options.runtimeImport}/hooks`
  const models = api.models.map((model) => ({ name: model.name, ...modelNames(model.name) }))
  return {
    path: FILE_NAMES.hooks,
    header: header('the Prisma schema'),
    imports: [
      types(hooks, 'Hooks', 'HookDefinitions'),
      values(hooks, 'createHooks'),
      types(imports.local('./orm'), 'TransactionClient', 'TypeMap'),
      ...models.map((model) => values(imports.local(`./${folderName(model.name)}/resource`), model.resource)),
    ],
    body: render('hooks', { models }),
  }
}

function policyFile(api: ApiModel, { options, imports, render }: EmitContext): RenderedFile {
  const policy = `${options.runtimeImport}/policy`
  const models = api.models.map((model) => ({ name: model.name, ...modelNames(model.name) }))
  return {
    path: 'policy.ts',
    header: header('policy = "casl"'),
    imports: [
      types('@casl/ability', 'Ability'),
      values('@casl/ability', 'AbilityBuilder'),
      types('@casl/prisma/runtime', 'PrismaQueryOf', 'Subjects'),
      values('@casl/prisma/runtime', 'createPrismaAbility'),
      types(policy, 'Action', 'PolicyExtension'),
      values(policy, 'createPolicies'),
      types(imports.local('./orm'), 'TypeMap'),
      ...models.map((model) => values(imports.local(`./${folderName(model.name)}/resource`), model.resource)),
    ],
    body: render('policy', { models }),
  }
}

function adapterFile(adapter: Adapter, { options, imports, render }: EmitContext): RenderedFile {
  const rpc = options.styles.includes('rpc')
  const index = imports.local('./index')
  const used = ADAPTER_IMPORTS[adapter]
  return {
    path: `${adapter}.ts`,
    header: header(`adapters = ["${adapter}"]`),
    imports: [
      ...(used.framework ? [types(used.framework.from, ...used.framework.types)] : []),
      types(`${options.runtimeImport}/${adapter}`, ...used.types),
      values(`${options.runtimeImport}/${adapter}`, ...used.values),
      types(index, 'Orm'),
      ...(rpc ? [values(index, 'RPCApiHandler')] : [types(options.runtimeImport, 'ApiHandler')]),
    ],
    body: render(adapter, { rpc }),
  }
}

// `zod/mini` is tree-shakable: a bundle contains only the checks in use. `zod` itself would be bundled almost entirely.
const ZOD = namespace('zod/mini', 'z')

// The locale is imported directly, because with `z.locales.en` esbuild would bundle every locale.
const ZOD_IN_ENGLISH = [ZOD, values('zod/locales', 'en')]

function hasRules(fields: readonly FieldSpec[]): boolean {
  return fields.some((field) => field.rule !== undefined)
}

function modelHeader(model: ModelSpec, routes: readonly string[] = []): string {
  const table = routes.length > 0 ? ['//', ...routes.map((route) => `//   ${route}`)] : []
  return [header(`model ${model.name}`), ...table].join('\n')
}

function header(source: string): string {
  return `${GENERATED_HEADER}\n// Source: ${source}. Regenerate with \`prisma generate\`.`
}

function types(from: string, ...names: string[]): ImportSpec {
  return { from, typeOnly: true, names: names.map((name) => ({ name })) }
}

function typeAs(from: string, name: string, alias: string): ImportSpec {
  return { from, typeOnly: true, names: [{ name, alias }] }
}

function valueAs(from: string, name: string, alias: string): ImportSpec {
  return { from, names: [{ name, alias }] }
}

function namespace(from: string, alias: string): ImportSpec {
  return { from, names: [{ name: '*', alias }] }
}

function values(from: string, ...names: string[]): ImportSpec {
  return { from, names: names.map((name) => ({ name })) }
}
