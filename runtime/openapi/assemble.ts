import type { ComponentCollector } from './components.js'
import type { OpenApiDocument, PathItem, Server, Tag } from './document.js'
import type { OpenApiOptions } from './options.js'

/** What a style gives of its document. */
export interface StyleDocument {
  readonly style: 'REST' | 'RPC'
  readonly paths: readonly (readonly [path: string, item: PathItem])[]
  readonly components: ComponentCollector
  readonly server: Server
  readonly tags: readonly Tag[]
}

/** What the styles are, for readers who know neither. */
const ABOUT: Readonly<Record<StyleDocument['style'], string>> = {
  REST:
    'A server of [JSON:API 1.1](https://jsonapi.org/format/1.1/): resources with relationships, filters, orders, pages and fieldsets. What `include` adds of a list may have its own: ' +
    '`includePage[comments][limit]=5`, `includeSort[comments]=-id`, `includeFilter[comments][body]=…`. `relatedCount=comments` counts its members.',
  RPC: 'The operations of the Prisma client: arguments are JSON, in the query parameter `q` or as the body, and results stand in `data`.',
}

/** Puts a document together, with what the app says of its API. */
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
    // Where no scheme is given, that none is needed is said too: linters take silence for something forgotten.
    security,
    tags,
    paths: Object.fromEntries(paths),
    components: { ...components.sorted(), ...(securitySchemes && { securitySchemes }) },
  }
  return extend ? extend(document) : document
}
