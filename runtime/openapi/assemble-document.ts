import type { ComponentCollector } from './component-collector.js'
import type { OpenApiDocument, PathItem, Server, Tag } from './document-types.js'
import type { OpenApiOptions } from './openapi-options.js'

/** The parts of a document that differ between REST and RPC. */
export interface StyleDocument {
  readonly style: 'REST' | 'RPC'
  readonly paths: readonly (readonly [path: string, item: PathItem])[]
  readonly components: ComponentCollector
  readonly server: Server
  readonly tags: readonly Tag[]
}

/** Introductions to REST and RPC, for readers who do not know them. */
const ABOUT: Readonly<Record<StyleDocument['style'], string>> = {
  REST:
    'A [JSON:API 1.1](https://jsonapi.org/format/1.1/) server with relationships, filters, sorting, pagination and sparse fieldsets. Included lists can be paginated, sorted and filtered: ' +
    '`includePage[comments][limit]=5`, `includeSort[comments]=-id`, `includeFilter[comments][body]=…`. `relatedCount=comments` counts related resources.',
  RPC: 'The operations of the Prisma client. Arguments are JSON in the query parameter `q` or in the body. Results are in `data`.',
}

/** Assembles a document from the parts for REST or RPC and the app's options. */
export function assembleDocument(
  { style, paths, components, server, tags }: StyleDocument,
  options: OpenApiOptions,
): OpenApiDocument {
  const { info, servers = [server], securitySchemes, extend } = options
  const security = options.security ?? Object.keys(securitySchemes ?? {}).map((name) => ({ [name]: [] }))
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info: { title: `${style} API`, version: '0.0.0', description: ABOUT[style], ...info },
    servers,
    // An empty list states that no scheme is required. Linters report a missing key as an omission.
    security,
    tags,
    paths: Object.fromEntries(paths),
    components: { ...components.sorted(), ...(securitySchemes && { securitySchemes }) },
  }
  return extend ? extend(document) : document
}
