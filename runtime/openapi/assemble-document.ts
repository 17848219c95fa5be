import type { ComponentCollector } from './component-collector.js'
import type { OpenApiDocument, PathItem, Server, Tag } from './document-types.js'
import type { OpenApiOptions } from './openapi-options.js'

/** The parts of a document that differ between REST and RPC. */
export interface StyleDocument {
  readonly style: 'REST' | 'RPC'
  /** An introduction to the API style, for readers who do not know it. */
  readonly about: string
  readonly paths: readonly (readonly [path: string, item: PathItem])[]
  readonly components: ComponentCollector
  readonly server: Server
  readonly tags: readonly Tag[]
}

/** Assembles a document from the parts for REST or RPC and the app's options. */
export function assembleDocument(
  { style, about, paths, components, server, tags }: StyleDocument,
  options: OpenApiOptions,
): OpenApiDocument {
  const { info, servers = [server], securitySchemes, extend } = options
  const security = options.security ?? Object.keys(securitySchemes ?? {}).map((name) => ({ [name]: [] }))
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info: { title: `${style} API`, version: '0.0.0', description: about, ...info },
    servers,
    // An empty list states that no scheme is required. Linters report a missing key as an omission.
    security,
    tags,
    paths: Object.fromEntries(paths),
    components: { ...components.sorted(), ...(securitySchemes && { securitySchemes }) },
  }
  return extend ? extend(document) : document
}
