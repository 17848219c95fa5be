export { createRestClient } from './create.js'
export type {
  JsonApiDocument,
  JsonApiError,
  Link,
  Links,
  RelationshipObject,
  ResourceIdentifier,
  ResourceJson,
} from './document.js'
export { RestError, type RestErrorDetails, type RestFieldError } from './error.js'
export { json, type JsonFilter } from './json.js'
export type { GraphOf, RestClientOptions, RestClientOptionsFor } from './options.js'
export { withRestRoutes } from './routes.js'
export type { RestClientWithRoutes, RestRoute, RestRoutes } from './types/routes.js'
export type { ClientTypes, PlainClient, Served } from './types/api.js'
export type { Relationship as RestRelationship, RestAddCall, RestCall, RestOperations } from './types/collection.js'
export type { Filter as RestFilter } from './types/filter.js'
export type { RestClient, RestCollection, RestCreateData, RestResource, RestUpdateData } from './types/public.js'
export type {
  FullText as RestFullText,
  ListQuery as RestListQuery,
  Page as RestPage,
  ResponseShape as RestShape,
} from './types/query.js'
export type { Identifier as RestIdentifier, List as RestList } from './types/result.js'
export type { DecimalInput, ResourceOrId, Id, JsonInput } from './types/values.js'
