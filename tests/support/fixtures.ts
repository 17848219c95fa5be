import type * as AnnotationsClient from '../../fixtures/annotations/client/client.js'
import type * as AnnotationsHono from '../../fixtures/annotations/expected/hono.js'
import type * as AnnotationsComputed from '../../fixtures/annotations/expected/computed.js'
import type * as AnnotationsCustomRoutes from '../../fixtures/annotations/expected/custom-routes.js'
import type * as AnnotationsDescriptions from '../../fixtures/annotations/expected/descriptions.js'
import type * as AnnotationsRoutes from '../../fixtures/annotations/expected/index.js'
import type * as BlogClient from '../../fixtures/blog/client/client.js'
import type * as BlogHono from '../../fixtures/blog/expected/hono.js'
import type * as BlogComputed from '../../fixtures/blog/expected/computed.js'
import type * as BlogCustomRoutes from '../../fixtures/blog/expected/custom-routes.js'
import type * as BlogDescriptions from '../../fixtures/blog/expected/descriptions.js'
import type * as BlogRoutes from '../../fixtures/blog/expected/index.js'
import type * as KitchenSinkClient from '../../fixtures/kitchen-sink/client/client.js'
import type * as KitchenSinkHono from '../../fixtures/kitchen-sink/expected/hono.js'
import type * as KitchenSinkComputed from '../../fixtures/kitchen-sink/expected/computed.js'
import type * as KitchenSinkCustomRoutes from '../../fixtures/kitchen-sink/expected/custom-routes.js'
import type * as KitchenSinkDescriptions from '../../fixtures/kitchen-sink/expected/descriptions.js'
import type * as KitchenSinkRoutes from '../../fixtures/kitchen-sink/expected/index.js'
import type * as NamesClient from '../../fixtures/names/client/client.js'
import type * as NamesHono from '../../fixtures/names/expected/hono.js'
import type * as NamesComputed from '../../fixtures/names/expected/computed.js'
import type * as NamesCustomRoutes from '../../fixtures/names/expected/custom-routes.js'
import type * as NamesDescriptions from '../../fixtures/names/expected/descriptions.js'
import type * as NamesRoutes from '../../fixtures/names/expected/index.js'
import type * as NativeTypesClient from '../../fixtures/native-types/client/client.js'
import type * as NativeTypesHono from '../../fixtures/native-types/expected/hono.js'
import type * as NativeTypesComputed from '../../fixtures/native-types/expected/computed.js'
import type * as NativeTypesCustomRoutes from '../../fixtures/native-types/expected/custom-routes.js'
import type * as NativeTypesDescriptions from '../../fixtures/native-types/expected/descriptions.js'
import type * as NativeTypesRoutes from '../../fixtures/native-types/expected/index.js'
import type * as PaymentsClient from '../../fixtures/payments/client/client.js'
import type * as PaymentsHono from '../../fixtures/payments/expected/hono.js'
import type * as PaymentsComputed from '../../fixtures/payments/expected/computed.js'
import type * as PaymentsCustomRoutes from '../../fixtures/payments/expected/custom-routes.js'
import type * as PaymentsDescriptions from '../../fixtures/payments/expected/descriptions.js'
import type * as PaymentsRoutes from '../../fixtures/payments/expected/index.js'
import type * as ShardsClient from '../../fixtures/shards/client/client.js'
import type * as ShardsHono from '../../fixtures/shards/expected/hono.js'
import type * as ShardsComputed from '../../fixtures/shards/expected/computed.js'
import type * as ShardsCustomRoutes from '../../fixtures/shards/expected/custom-routes.js'
import type * as ShardsDescriptions from '../../fixtures/shards/expected/descriptions.js'
import type * as ShardsRoutes from '../../fixtures/shards/expected/index.js'
import type * as TenantsClient from '../../fixtures/tenants/client/client.js'
import type * as TenantsHono from '../../fixtures/tenants/expected/hono.js'
import type * as TenantsComputed from '../../fixtures/tenants/expected/computed.js'
import type * as TenantsCustomRoutes from '../../fixtures/tenants/expected/custom-routes.js'
import type * as TenantsDescriptions from '../../fixtures/tenants/expected/descriptions.js'
import type * as TenantsRoutes from '../../fixtures/tenants/expected/index.js'
import type * as VersionsClient from '../../fixtures/versions/client/client.js'
import type * as VersionsHono from '../../fixtures/versions/expected/hono.js'
import type * as VersionsComputed from '../../fixtures/versions/expected/computed.js'
import type * as VersionsCustomRoutes from '../../fixtures/versions/expected/custom-routes.js'
import type * as VersionsDescriptions from '../../fixtures/versions/expected/descriptions.js'
import type * as VersionsRoutes from '../../fixtures/versions/expected/index.js'
import type * as WorkspaceClient from '../../fixtures/workspace/client/client.js'
import type * as WorkspaceHono from '../../fixtures/workspace/expected/hono.js'
import type * as WorkspaceComputed from '../../fixtures/workspace/expected/computed.js'
import type * as WorkspaceCustomRoutes from '../../fixtures/workspace/expected/custom-routes.js'
import type * as WorkspaceDescriptions from '../../fixtures/workspace/expected/descriptions.js'
import type * as WorkspaceRoutes from '../../fixtures/workspace/expected/index.js'

/** The exports of a fixture's modules, and the type of its client. */
interface Modules<Orm, Client, Routes, Hono> {
  readonly orm: Orm
  readonly client: Client
  readonly routes: Routes
  readonly hono: Hono
}

/** The fixtures that HTTP tests can run on. */
export interface Fixtures {
  readonly annotations: Modules<
    AnnotationsClient.PrismaClient,
    typeof AnnotationsClient,
    typeof AnnotationsRoutes &
      typeof AnnotationsComputed &
      typeof AnnotationsCustomRoutes &
      typeof AnnotationsDescriptions,
    typeof AnnotationsHono
  >
  readonly blog: Modules<
    BlogClient.PrismaClient,
    typeof BlogClient,
    typeof BlogRoutes & typeof BlogComputed & typeof BlogCustomRoutes & typeof BlogDescriptions,
    typeof BlogHono
  >
  readonly 'kitchen-sink': Modules<
    KitchenSinkClient.PrismaClient,
    typeof KitchenSinkClient,
    typeof KitchenSinkRoutes &
      typeof KitchenSinkComputed &
      typeof KitchenSinkCustomRoutes &
      typeof KitchenSinkDescriptions,
    typeof KitchenSinkHono
  >
  readonly names: Modules<
    NamesClient.PrismaClient,
    typeof NamesClient,
    typeof NamesRoutes & typeof NamesComputed & typeof NamesCustomRoutes & typeof NamesDescriptions,
    typeof NamesHono
  >
  /** The client has the types for SQLite, although each database has its own schema. */
  readonly 'native-types': Modules<
    NativeTypesClient.PrismaClient,
    typeof NativeTypesClient,
    typeof NativeTypesRoutes &
      typeof NativeTypesComputed &
      typeof NativeTypesCustomRoutes &
      typeof NativeTypesDescriptions,
    typeof NativeTypesHono
  >
  readonly payments: Modules<
    PaymentsClient.PrismaClient,
    typeof PaymentsClient,
    typeof PaymentsRoutes & typeof PaymentsComputed & typeof PaymentsCustomRoutes & typeof PaymentsDescriptions,
    typeof PaymentsHono
  >
  readonly shards: Modules<
    ShardsClient.PrismaClient,
    typeof ShardsClient,
    typeof ShardsRoutes & typeof ShardsComputed & typeof ShardsCustomRoutes & typeof ShardsDescriptions,
    typeof ShardsHono
  >
  readonly tenants: Modules<
    TenantsClient.PrismaClient,
    typeof TenantsClient,
    typeof TenantsRoutes & typeof TenantsComputed & typeof TenantsCustomRoutes & typeof TenantsDescriptions,
    typeof TenantsHono
  >
  readonly versions: Modules<
    VersionsClient.PrismaClient,
    typeof VersionsClient,
    typeof VersionsRoutes & typeof VersionsComputed & typeof VersionsCustomRoutes & typeof VersionsDescriptions,
    typeof VersionsHono
  >
  readonly workspace: Modules<
    WorkspaceClient.PrismaClient,
    typeof WorkspaceClient,
    typeof WorkspaceRoutes & typeof WorkspaceComputed & typeof WorkspaceCustomRoutes & typeof WorkspaceDescriptions,
    typeof WorkspaceHono
  >
}

export type FixtureName = keyof Fixtures
