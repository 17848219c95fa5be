import type {
  Components,
  Header,
  JsonSchema,
  Parameter,
  Reference,
  RequestBody,
  ResponseObject,
  OpenApiDocument,
  PathItem,
  Server,
  Tag,
} from './document-types.js'
import type { OpenApiOptions } from './openapi-options.js'

/** Collects the components of a document while its paths are created. Each component is created once. */
export class ComponentCollector {
  readonly #schemas = new Map<string, JsonSchema>()
  readonly #parameters = new Map<string, Parameter>()
  readonly #responses = new Map<string, ResponseObject>()
  readonly #bodies = new Map<string, RequestBody>()
  readonly #headers = new Map<string, Header>()

  /** Returns a reference to a schema and creates the schema if it does not exist. A schema may refer to itself. */
  schema(name: string, create: () => JsonSchema): Reference {
    if (!this.#schemas.has(name)) {
      // A placeholder that recursive references find while the schema is created.
      this.#schemas.set(name, {})
      this.#schemas.set(name, create())
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Returns a reference to a parameter. */
  parameter(name: string, create: () => Parameter): Reference {
    if (!this.#parameters.has(name)) this.#parameters.set(name, create())
    return { $ref: `#/components/parameters/${name}` }
  }

  /** Returns a reference to a response. */
  response(name: string, create: () => ResponseObject): Reference {
    if (!this.#responses.has(name)) this.#responses.set(name, create())
    return { $ref: `#/components/responses/${name}` }
  }

  /** Returns a reference to a request body. */
  requestBody(name: string, create: () => RequestBody): Reference {
    if (!this.#bodies.has(name)) this.#bodies.set(name, create())
    return { $ref: `#/components/requestBodies/${name}` }
  }

  /** Returns a reference to a response header. */
  header(name: string, create: () => Header): Reference {
    if (!this.#headers.has(name)) this.#headers.set(name, create())
    return { $ref: `#/components/headers/${name}` }
  }

  /** Returns all components. The components of each kind are sorted by name. */
  sorted(): Components {
    return {
      schemas: sortEntries(this.#schemas),
      parameters: sortEntries(this.#parameters),
      responses: sortEntries(this.#responses),
      ...(this.#bodies.size > 0 && { requestBodies: sortEntries(this.#bodies) }),
      ...(this.#headers.size > 0 && { headers: sortEntries(this.#headers) }),
    }
  }
}

function sortEntries<T>(entries: ReadonlyMap<string, T>): Readonly<Record<string, T>> {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** The paths of a document, in order. */
export type Paths = readonly (readonly [path: string, item: PathItem])[]

/** The options of a document. `T` is the context of operations. */
export interface DocumentOptions<T> extends OpenApiOptions {
  /** Adds the paths of declared custom routes. */
  readonly addRoutes?: (paths: Paths, context: T) => Paths
  /** Describes the operations of a transaction that call declared custom routes. */
  readonly describeRouteCalls?: (context: T) => RouteCalls
}

/** The parts of a transaction's description that belong to declared custom routes. */
export interface RouteCalls {
  /** The schemas of the operations. */
  readonly operations: readonly JsonSchema[]
  /** The schemas of their results. */
  readonly results: readonly JsonSchema[]
  /** The responses with their error codes, by status. */
  readonly errors: Readonly<Record<string, ResponseObject>>
}

/** The parts of a document that differ between REST and RPC. */
interface StyleDocument<T> {
  readonly style: 'REST' | 'RPC'
  /** An introduction to the API style, for readers who do not know it. */
  readonly about: string
  readonly paths: Paths
  readonly context: T
  readonly components: ComponentCollector
  readonly server: Server
  readonly tags: readonly Tag[]
}

/** Assembles a document from the parts for REST or RPC and the app's options. */
export function assembleDocument<T>(
  { style, about, paths, context, components, server, tags }: StyleDocument<T>,
  options: DocumentOptions<T>,
): OpenApiDocument {
  const { info, servers = [server], securitySchemes, extend, addRoutes } = options
  const security = options.security ?? Object.keys(securitySchemes ?? {}).map((name) => ({ [name]: [] }))
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info: { title: `${style} API`, version: '0.0.0', description: about, ...info },
    servers,
    // An empty list states that no scheme is required. Linters report a missing key as an omission.
    security,
    tags,
    paths: Object.fromEntries(addRoutes?.(paths, context) ?? paths),
    components: { ...components.sorted(), ...(securitySchemes && { securitySchemes }) },
  }
  return extend ? extend(document) : document
}
