import type * as AnnotationsClient from '../../fixtures/annotations/client/client.js'
import type * as AnnotationsHono from '../../fixtures/annotations/expected/hono.js'
import type * as AnnotationsRoutes from '../../fixtures/annotations/expected/index.js'
import type * as BlogClient from '../../fixtures/blog/client/client.js'
import type * as BlogHono from '../../fixtures/blog/expected/hono.js'
import type * as BlogRoutes from '../../fixtures/blog/expected/index.js'
import type * as KitchenSinkClient from '../../fixtures/kitchen-sink/client/client.js'
import type * as KitchenSinkHono from '../../fixtures/kitchen-sink/expected/hono.js'
import type * as KitchenSinkRoutes from '../../fixtures/kitchen-sink/expected/index.js'
import type * as NamesClient from '../../fixtures/names/client/client.js'
import type * as NamesHono from '../../fixtures/names/expected/hono.js'
import type * as NamesRoutes from '../../fixtures/names/expected/index.js'
import type * as NativeTypesClient from '../../fixtures/native-types/client/client.js'
import type * as NativeTypesHono from '../../fixtures/native-types/expected/hono.js'
import type * as NativeTypesRoutes from '../../fixtures/native-types/expected/index.js'
import type * as PaymentsClient from '../../fixtures/payments/client/client.js'
import type * as PaymentsHono from '../../fixtures/payments/expected/hono.js'
import type * as PaymentsRoutes from '../../fixtures/payments/expected/index.js'
import type * as ShardsClient from '../../fixtures/shards/client/client.js'
import type * as ShardsHono from '../../fixtures/shards/expected/hono.js'
import type * as ShardsRoutes from '../../fixtures/shards/expected/index.js'
import type * as TenantsClient from '../../fixtures/tenants/client/client.js'
import type * as TenantsHono from '../../fixtures/tenants/expected/hono.js'
import type * as TenantsRoutes from '../../fixtures/tenants/expected/index.js'
import type * as VersionsClient from '../../fixtures/versions/client/client.js'
import type * as VersionsHono from '../../fixtures/versions/expected/hono.js'
import type * as VersionsRoutes from '../../fixtures/versions/expected/index.js'
import type * as WorkspaceClient from '../../fixtures/workspace/client/client.js'
import type * as WorkspaceHono from '../../fixtures/workspace/expected/hono.js'
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
    typeof AnnotationsRoutes,
    typeof AnnotationsHono
  >
  readonly blog: Modules<BlogClient.PrismaClient, typeof BlogClient, typeof BlogRoutes, typeof BlogHono>
  readonly 'kitchen-sink': Modules<
    KitchenSinkClient.PrismaClient,
    typeof KitchenSinkClient,
    typeof KitchenSinkRoutes,
    typeof KitchenSinkHono
  >
  readonly names: Modules<NamesClient.PrismaClient, typeof NamesClient, typeof NamesRoutes, typeof NamesHono>
  /** The client has the types for SQLite, although each database has its own schema. */
  readonly 'native-types': Modules<
    NativeTypesClient.PrismaClient,
    typeof NativeTypesClient,
    typeof NativeTypesRoutes,
    typeof NativeTypesHono
  >
  readonly payments: Modules<
    PaymentsClient.PrismaClient,
    typeof PaymentsClient,
    typeof PaymentsRoutes,
    typeof PaymentsHono
  >
  readonly shards: Modules<ShardsClient.PrismaClient, typeof ShardsClient, typeof ShardsRoutes, typeof ShardsHono>
  readonly tenants: Modules<TenantsClient.PrismaClient, typeof TenantsClient, typeof TenantsRoutes, typeof TenantsHono>
  readonly versions: Modules<
    VersionsClient.PrismaClient,
    typeof VersionsClient,
    typeof VersionsRoutes,
    typeof VersionsHono
  >
  readonly workspace: Modules<
    WorkspaceClient.PrismaClient,
    typeof WorkspaceClient,
    typeof WorkspaceRoutes,
    typeof WorkspaceHono
  >
}

export type FixtureName = keyof Fixtures
