/**
 * Files that start processes, servers or compilers, change global state, or run for many seconds. Each one runs in its own process.
 * `CONTRIBUTING.md` describes the three projects.
 */
export const SLOW: readonly string[] = [
  'tests/adapters/{body-read-before,next,node,nuxt,sveltekit,tanstack-start,telemetry,worker}.test.ts',
  'tests/bench/**',
  'tests/changes/{command,documents,prisma-generate,properties}.test.ts',
  'tests/client/{bundle,differential,messages}.test.ts',
  'tests/client/query/{*cache,bundle-size,rpc}.test.ts',
  'tests/client/rest/{compile-errors,properties}.test.ts',
  'tests/docs/{authentication,changes,client-examples,cookbook,examples,recipes,site,templates,tutorial,typescript}.test.ts',
  'tests/e2e/**',
  'tests/examples/**',
  'tests/generator/{generate-command,openapi-command}.test.ts',
  'tests/idempotency/killed.test.ts',
  'tests/init/{apps,command}.test.ts',
  'tests/openapi/{committed,committed-budget,examples,linters,rest-conformance,rest-mutations,rpc-document,rpc-mutations}.test.ts',
  'tests/operations/{client-disconnect*,conflicts,drain,outages,pool*,statement-names,timeout,traces}.test.ts',
  'tests/output/{drift,format,killed-run}.test.ts',
  'tests/packages/**',
  'tests/rest/{concurrent-replacement,joined-lists,lost-updates}.test.ts',
  'tests/rpc/kitchen-sink-writes.test.ts',
  'tests/support/servers/**',
]

/** Files that need no database. A file that no list contains sends requests to routes on databases. */
export const UNIT: readonly string[] = [
  'tests/changes/{compare,formats}.test.ts',
  'tests/client/rest/{accepted,result-types}.test.ts',
  'tests/docs/{architecture,blocks,images,pages,questions,schemas,tables,workflows}.test.ts',
  'tests/errors/database-error.test.ts',
  'tests/generator/**',
  'tests/idempotency/options.test.ts',
  'tests/init/**',
  'tests/openapi/{example-values,module-errors}.test.ts',
  'tests/orm/race.test.ts',
  'tests/output/**',
  'tests/policy/aliases.test.ts',
  'tests/rest/{check-document,entity-tags,filter-syntax,values}.test.ts',
  'tests/security/dependencies.test.ts',
  'tests/serialization/{deserialize,texts}.test.ts',
  'tests/values/rule.test.ts',
]

/**
 * Files that build, install or start an app or a package first, or check a property in many runs. `npm test` omits them, and
 * `npm run test:all` runs them.
 */
export const LONG_ONLY: readonly string[] = [
  'tests/adapters/{next,nuxt,sveltekit,tanstack-start}.test.ts',
  'tests/changes/{prisma-generate,properties}.test.ts',
  'tests/client/query/{*cache,rpc}.test.ts',
  'tests/client/differential.test.ts',
  'tests/client/rest/properties.test.ts',
  'tests/docs/{authentication,changes,client-examples,cookbook,examples,recipes,site,tutorial}.test.ts',
  'tests/e2e/{compile,demo,openapi}.test.ts',
  'tests/examples/issue-tracker*.test.ts',
  'tests/idempotency/killed.test.ts',
  'tests/init/apps.test.ts',
  'tests/openapi/{committed-budget,examples,rest-conformance,rest-mutations,rpc-document,rpc-mutations}.test.ts',
  'tests/operations/client-disconnect-adapters.test.ts',
  'tests/packages/{install,publish}.test.ts',
  'tests/rpc/kitchen-sink-writes.test.ts',
]
