import type { Dialect } from '../prisma/dialect.js'
import type { Limits } from '../limits.js'
import type { LoadLimitedLists } from './orm/loading-types.js'
import type { PagedCollection, Paging, Cursors, Page, RequestedPageParameters, Total } from './paging/paging.js'
import type { FilterCondition, Where } from './request/filter/combine-conditions.js'
import type { JsonFilters } from './request/filter/field-condition.js'
import type { RelationCounter } from './request/filter/relationship-condition.js'
import type { RequestedCounts } from './orm/selection.js'
import type { Include, IncludedRelations } from './request/query/include-tree.js'
import type { Families, Parameter, Query } from './request/query/parse-query.js'
import type { OrderBy } from './request/query/parse-sort.js'
import type { RestModel } from './rest-model.js'

/** The validated options of a REST handler, with defaults applied. */
export interface Settings {
  readonly endpoint: string
  readonly pageSize: number
  readonly maxPageSize: number
  readonly pagination: 'offset' | 'cursor'
  readonly total: Total
  readonly strict: boolean
  readonly databaseMessages: boolean
  readonly limits: Limits
  readonly features: RequestFeatures
  /** The query parameters, including those of the features. */
  readonly families: Families
  /** Returns the `type` of a model's resources. */
  readonly typeOf: (model: string) => string
  /** Whether a model is exposed at the path named after its type. False if `modelNameMapping` omits the model. */
  readonly isExposed: (model: string) => boolean
  /** Returns the alternative spellings of a model's path, which redirect to its type. Empty if `modelNameMapping` is set. */
  readonly getAliases: (model: string) => readonly string[]
  readonly externalId: (model: string) => string | undefined
}

/**
 * The parts of features that parse or apply query parameters and headers. Without a feature, its parameters are rejected and its headers are
 * ignored.
 */
export interface RequestFeatures {
  readonly cursors?: CursorPages
  readonly expressions?: FilterExpressions
  readonly fullText?: FullTextSearch
  readonly includedLists?: IncludedLists
  readonly jsonFilters?: JsonFilters
  /** Whether a `Prefer` header requests a minimal response. */
  readonly minimalResponses?: (header: string | undefined | null) => boolean
  readonly relatedCounts?: RelatedCounts
}

/** Cursor pagination, as defined by the cursor pagination profile. */
export interface CursorPages {
  /** The names of the page parameters that it adds. */
  readonly keys: readonly string[]
  /** The page parameters of each kind of pagination, for error messages. */
  readonly kinds: string
  /** A sentence for the error about a page that starts at a too large offset. Begins with a space. */
  readonly hint: string
  /** Parses the page of a request. Returns undefined if the request does not use cursors. */
  readonly parse: (
    parameters: RequestedPageParameters,
    total: Total | undefined,
    settings: Settings,
    accept: string | undefined,
  ) => Page | undefined
  readonly createPaging: (collection: PagedCollection, cursors: Cursors, context: QueryContext) => Paging
}

/** Expressions in a `filter` parameter without brackets. */
export interface FilterExpressions {
  /** The names of the functions. */
  readonly functions: readonly string[]
  /** @throws RequestError 400, 403 or 422 */
  readonly compile: (
    parameter: Parameter,
    model: RestModel,
    settings: Settings,
    counter: RelationCounter,
  ) => FilterCondition
}

/** Full-text search over several fields. */
export interface FullTextSearch {
  readonly families: Families
  readonly parse: (
    query: Query,
    model: RestModel,
    settings: Settings,
    dialect: Dialect,
  ) => { readonly where: Where; readonly order: OrderBy } | undefined
}

/** Parameters for the lists of an included relationship. */
export interface IncludedLists {
  readonly families: Families
  /**
   * Parses the parameters and adds them to the included relations.
   * @throws RequestError 400, 403 or 422
   */
  readonly add: (query: Query, relations: IncludedRelations, context: QueryContext) => void
  /** Returns the total cost of the filters and sort orders of included lists, in points. */
  readonly cost: (include: Include) => number
  readonly load: LoadLimitedLists
}

/** Counts of related resources. */
export interface RelatedCounts {
  readonly families: Families
  /** Returns undefined if the request counts no related resources. */
  readonly parse: (query: Query, model: RestModel | undefined, limits: Limits) => RequestedCounts | undefined
}

/** The part of a handler's context that query parameters are parsed with. */
export interface QueryContext {
  readonly settings: Settings
  readonly dialect: Dialect
}
