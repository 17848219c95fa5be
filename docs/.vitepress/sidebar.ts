/** A page of the site. */
interface SidebarItem {
  readonly text: string
  readonly link: string
}

const page = (text: string, name: string): SidebarItem => ({ text, link: `/${name}` })

/** The pages, grouped as in `docs/README.md`. A test compares both. */
export const SIDEBAR: { text: string; items: SidebarItem[] }[] = [
  {
    text: 'Start',
    items: [
      page('Introduction', 'introduction'),
      page('Getting started', 'getting-started'),
      page('Tutorial: an issue tracker', 'tutorial'),
      page('Generated code', 'generated-code'),
      page('Reviewing changes in CI', 'reviewing'),
      page('API change reports', 'api-changes'),
      page('Comparison', 'comparison'),
      page('Migrating from ZenStack', 'migrating-from-zenstack'),
    ],
  },
  {
    text: 'Schema',
    items: [
      page('Exposure', 'exposure'),
      page('Generator options', 'generator-options'),
      page('Features', 'features'),
      page('Custom templates', 'templates'),
    ],
  },
  {
    text: 'REST',
    items: [
      page('REST API', 'rest'),
      page('Filtering and sorting', 'rest-filtering'),
      page('Pagination', 'pagination'),
      page('Included lists', 'included-lists'),
      page('Nested routes', 'nested-routes'),
    ],
  },
  { text: 'RPC', items: [page('RPC API', 'rpc')] },
  {
    text: 'REST and RPC',
    items: [
      page('Errors', 'errors'),
      page('Limits', 'limits'),
      page('Transactions and atomic operations', 'transactions'),
      page('Optimistic concurrency', 'optimistic-concurrency'),
      page('Idempotency keys', 'idempotency'),
    ],
  },
  {
    text: 'Your code',
    items: [
      page('Request lifecycle', 'request-lifecycle'),
      page('Access policies', 'policies'),
      page('Hooks', 'hooks'),
      page('Computed fields', 'computed-fields'),
      page('Custom routes', 'custom-routes'),
      page('Security', 'security'),
      page('Authentication and tenants in ten minutes', 'authentication'),
      page('Cookbook', 'cookbook'),
    ],
  },
  {
    text: 'Clients',
    items: [
      page('RPC client', 'rpc-client'),
      page('REST client', 'rest-client'),
      page('TanStack Query', 'tanstack-query'),
      page('Forms', 'forms'),
      page('OpenAPI', 'openapi'),
      page('Client generators for OpenAPI', 'openapi-clients'),
    ],
  },
  {
    text: 'Running it',
    items: [
      page('Adapters', 'adapters'),
      page('Deployment', 'deployment'),
      page('Timeouts, overload and shutdown', 'reliability'),
      page('Logging and tracing', 'observability'),
      page('Replicas, failover and retries', 'high-availability'),
      page('Performance and bundle size', 'performance'),
      page('Limitations', 'limitations'),
    ],
  },
  { text: 'Reference', items: [page('CLI', 'cli'), page('Glossary', 'glossary')] },
]
